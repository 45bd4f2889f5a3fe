import { Suspense } from 'react';
import type { ObjectView } from '../../../contract/live.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { toolNeeds } from '../../../registry/kinds/object-tools.ts';
import type { LiveObject } from '../../data/live/object.ts';
import { useDataTime } from '../../data/live/use-data-time.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { mayAct, useMay } from '../../data/may-act.ts';
import { ScreenPending } from '../../kit/ScreenPending.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { ShownAs } from '../../workspace/use-tool.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { compareHints } from '../compare/hints.ts';
import { AttentionNotes } from './AttentionNotes.tsx';
import { DetailHead } from './DetailHead.tsx';
import { DetailState, isAwaited } from './DetailState.tsx';
import { DetailStatus } from './DetailStatus.tsx';
import { SectionOf } from './SectionOf.tsx';
import { SectionNav } from './SectionNav.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';

const CompareView = lazyPart(async () => (await import('../compare/CompareView.tsx')).CompareView);
const EditView = lazyPart(async () => (await import('../edit/EditView.tsx')).EditView);
const ObjectYaml = lazyPart(async () => (await import('./ObjectYaml.tsx')).ObjectYaml);
const SecretYaml = lazyPart(async () => (await import('./SecretYaml.tsx')).SecretYaml);
const ObjectLogs = lazyPart(async () => (await import('../logs/ObjectLogs.tsx')).ObjectLogs);
const ObjectJobs = lazyPart(async () => (await import('../jobs/ObjectJobs.tsx')).ObjectJobs);

const ObjectGraph = lazyPart(async () => (await import('../graph/ObjectGraph.tsx')).ObjectGraph);

const TerminalView = lazyPart(async () => (await import('../terminal/TerminalView.tsx')).TerminalView);

const Findings = lazyPart(async () => (await import('./Findings.tsx')).Findings);
const WhyView = lazyPart(async () => (await import('./Findings.tsx')).WhyView);

const UsageSection = lazyPart(async () => (await import('../metrics/UsageSection.tsx')).UsageSection);
const ReleaseContents = lazyPart(async () => (await import('../helm/ReleaseContents.tsx')).ReleaseContents);

const yamlHints = [
  { id: 'yaml.fold', text: 'fold' },
  { id: 'yaml.copy', text: 'copy' },
];

interface DetailViewProps {
  readonly kind: AnyKind;
  /** The object of this page. */
  readonly self: ObjectRef;
  readonly data: LiveObject | undefined;
  readonly onRetry: () => void;
}

interface TroubleProps {
  readonly kind: AnyKind;
  readonly self: ObjectRef;
  readonly view: ObjectView;
  /** The server's clock, ms. */
  readonly now: number;
}

/** Whether an object says that something is wrong: its first block then says why. */
const isTroubled = ({ attention, status }: ObjectView): boolean =>
  attention.length > 0 || status?.[1] === 'bad' || status?.[1] === 'warn';

/** What is wrong with an object: why, as the rules see it, then its troubles as they show. */
function Trouble({ kind, self, view, now }: TroubleProps) {
  return (
    <>
      {isTroubled(view) && (
        <Suspense>
          <Findings self={self} attention={view.attention} now={now} />
        </Suspense>
      )}
      <AttentionNotes lines={view.attention} self={self} kind={kind} now={now} />
    </>
  );
}

/** One object: what is wrong with it first, then its sections, its YAML, the logs of a pod. */
export function DetailView({ kind, self, data, onRetry }: DetailViewProps) {
  const [search] = useViewSearch();
  const may = useMay(self.cluster);
  const { moment } = useCommands();
  const { queryClient, queries } = useData();
  const mayEdit = mayAct({ queryClient, queries }, Number(self.cluster), kind)({});
  const tools = kind.tools.filter((one) => {
    const need = toolNeeds[one];
    return one === 'edit' ? mayEdit : need === undefined || may(need);
  });
  // A kind without YAML shows its manifest instead.
  const wanted = search.view === 'yaml' && !kind.tools.includes('yaml') ? 'manifest' : search.view;
  const tool = tools.find((one) => one === wanted);
  const now = useDataTime(data, self.cluster);
  const view = data?.view;
  // A log, and the output of a shell with the way it ended, can still be read when the pod is gone.
  const isKept = tool === 'logs' || tool === 'shell' || tool === 'attach';
  const isGone = data?.gone !== undefined && !isKept;
  if (view === undefined || isGone || data?.ended !== undefined) {
    return (
      <>
        {!isAwaited(data) && <ShownAs name="page" />}
        <ViewBody isScrolled className="@container" data-part="detail">
          <DetailState kind={kind} self={self} data={data} onRetry={onRetry} now={now} />
        </ViewBody>
        <DetailStatus kind={kind} cluster={self.cluster} data={data} onRetry={onRetry} mode="DETAIL" />
      </>
    );
  }
  const object = view.object as KubeObject;
  const head = (
    <>
      <DetailHead
        kind={kind}
        self={self}
        view={data?.gone === undefined ? view : { ...view, status: ['Deleted', 'idle'], actions: [] }}
        now={now}
      />
      <SectionNav tools={tools} tool={tool} />
    </>
  );
  if (tool === 'logs' || tool === 'graph') {
    return (
      <>
        {head}
        <Suspense fallback={<ScreenPending />}>
          {tool === 'logs' ? (
            <ObjectLogs self={self} kind={kind} object={object} />
          ) : (
            <ObjectGraph self={self} kind={kind} />
          )}
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
      {tool === 'compare' ? (
        <Suspense fallback={<ScreenPending />}>
          <CompareView
            kind={kind}
            self={self}
            object={object}
            renderStatus={(place) => (
              <DetailStatus
                kind={kind}
                cluster={self.cluster}
                data={data}
                onRetry={onRetry}
                tool={tool}
                mode="DIFF"
                place={place}
                own={compareHints(search.to)}
              />
            )}
          />
        </Suspense>
      ) : tool === 'edit' ? (
        <Suspense fallback={<ScreenPending />}>
          <EditView kind={kind} self={self} object={object} />
        </Suspense>
      ) : tool === 'why' ? (
        <Suspense fallback={<ScreenPending />}>
          <WhyView self={self} attention={view.attention} now={now} />
        </Suspense>
      ) : tool === 'values' || tool === 'manifest' ? (
        <Suspense fallback={<ScreenPending />}>
          <ReleaseContents self={self} part={tool} object={object} />
        </Suspense>
      ) : tool === 'yaml' && kind.masked === true ? (
        <Suspense fallback={<ScreenPending />}>
          <SecretYaml object={object} self={self} />
        </Suspense>
      ) : tool === 'yaml' ? (
        <Suspense fallback={<ScreenPending />}>
          <ObjectYaml object={object} name={self.name} />
        </Suspense>
      ) : (
        <ViewBody isScrolled className="@container" data-part="detail">
          {moment.isPermissionKnown() && <ShownAs name="page" />}
          {kind.actions.some((action) => 'job' in action) && (
            <Suspense>
              <ObjectJobs self={self} now={now} />
            </Suspense>
          )}
          <Trouble kind={kind} self={self} view={view} now={now} />
          {view.joined.usage !== undefined && (
            <Suspense>
              <UsageSection usage={view.joined.usage} kind={kind} self={self} object={object} now={now} />
            </Suspense>
          )}
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
        </ViewBody>
      )}
      {tool !== 'compare' && (
        <DetailStatus
          kind={kind}
          cluster={self.cluster}
          data={data}
          onRetry={onRetry}
          tool={tool}
          mode={tool === undefined ? 'DETAIL' : tool.toUpperCase()}
          {...(tool === 'yaml' ? { own: yamlHints } : {})}
          isEditing={tool === 'edit'}
        />
      )}
    </>
  );
}
