import { lazy, Suspense } from 'react';
import type { Permission } from '../../../contract/permissions.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/command.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import type { LiveObject } from '../../data/live/object.ts';
import { useTold } from '../../data/live/use-told.ts';
import { useMay } from '../../data/may-act.ts';
import { ScreenPending } from '../../shell/ScreenPending.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { AttentionNotes } from './AttentionNotes.tsx';
import { DetailHead } from './DetailHead.tsx';
import { DetailState } from './DetailState.tsx';
import { DetailStatus } from './DetailStatus.tsx';
import { ObjectYaml } from './ObjectYaml.tsx';
import { SectionOf } from './SectionOf.tsx';
import { type DetailTool, SectionNav } from './SectionNav.tsx';

const SecretYaml = lazy(async () => ({ default: (await import('./SecretYaml.tsx')).SecretYaml }));
const ObjectJobs = lazy(async () => ({ default: (await import('../../jobs/ObjectJobs.tsx')).ObjectJobs }));
const LogsView = lazy(async () => ({ default: (await import('../../logs/LogsView.tsx')).LogsView }));

const TerminalView = lazy(async () => ({
  default: (await import('../../terminal/TerminalView.tsx')).TerminalView,
}));

const ReleaseContents = lazy(async () => ({
  default: (await import('../../helm/ReleaseContents.tsx')).ReleaseContents,
}));

interface DetailViewProps {
  readonly kind: AnyKind;
  /** The object of this page. */
  readonly self: ObjectRef;
  readonly data: LiveObject | undefined;
  readonly onRetry: () => void;
}

/** The ways to look at an object of a kind besides its overview. */
function toolsOf(kind: string, may: (need: Permission) => boolean): readonly DetailTool[] {
  if (kind === 'release') return may('secrets.view') ? ['values', 'manifest'] : [];
  if (kind !== 'pod') return ['yaml'];
  return may('pods.manage') ? ['logs', 'shell', 'attach', 'yaml'] : ['logs', 'yaml'];
}

/** One object: what is wrong with it first, then its sections, its YAML, the logs of a pod. */
export function DetailView({ kind, self, data, onRetry }: DetailViewProps) {
  const [search] = useViewSearch();
  const may = useMay(self.cluster);
  const tools = toolsOf(kind.id, may);
  // A release has no YAML but its manifest.
  const wanted = kind.id === 'release' && search.view === 'yaml' ? 'manifest' : search.view;
  const tool = tools.find((one) => one === wanted);
  const now = useTold(data);
  const view = data?.view;
  if (view === undefined || data?.gone !== undefined || data?.ended !== undefined) {
    return (
      <>
        <div className="body scroll detail">
          <DetailState kind={kind} self={self} data={data} onRetry={onRetry} />
        </div>
        <DetailStatus kind={kind} cluster={self.cluster} data={data} onRetry={onRetry} mode="DETAIL" />
      </>
    );
  }
  const object = view.object as KubeObject;
  const head = (
    <>
      <DetailHead kind={kind} self={self} view={view} now={now} />
      <SectionNav tools={tools} tool={tool} />
    </>
  );
  if (tool === 'logs') {
    return (
      <>
        {head}
        <Suspense fallback={<ScreenPending />}>
          <LogsView self={self} pod={object} />
        </Suspense>
      </>
    );
  }
  if (tool === 'shell' || tool === 'attach') {
    return (
      <>
        {head}
        <Suspense fallback={<ScreenPending />}>
          <TerminalView key={tool} self={self} pod={object} mode={tool === 'attach' ? 'attach' : 'exec'} />
        </Suspense>
      </>
    );
  }
  return (
    <>
      {head}
      {tool === 'values' || tool === 'manifest' ? (
        <Suspense fallback={<ScreenPending />}>
          <ReleaseContents self={self} part={tool} object={object} />
        </Suspense>
      ) : tool === 'yaml' && kind.id === 'secret' ? (
        <Suspense fallback={<ScreenPending />}>
          <SecretYaml object={object} self={self} />
        </Suspense>
      ) : tool === 'yaml' ? (
        <ObjectYaml object={object} name={self.name} />
      ) : (
        <div className="body scroll detail">
          {kind.actions.some((action) => 'job' in action) && (
            <Suspense>
              <ObjectJobs self={self} now={now} />
            </Suspense>
          )}
          <AttentionNotes lines={view.attention} self={self} kind={kind} now={now} />
          {kind.sections.map((section) => (
            <SectionOf
              key={typeof section === 'string' ? section : section.title}
              section={section}
              kind={kind}
              self={self}
              view={view}
              now={now}
            />
          ))}
        </div>
      )}
      <DetailStatus
        kind={kind}
        cluster={self.cluster}
        data={data}
        onRetry={onRetry}
        mode={tool === undefined ? 'DETAIL' : tool.toUpperCase()}
      />
    </>
  );
}
