import { Lock, PackageX, Trash2 } from 'lucide-react';
import { Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { fillPath } from '../../../registry/path.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { qualifiedName } from '../actions/acting.ts';
import { NamespacesRemedy } from '../../frame/NamespacesRemedy.tsx';
import { WhyNotButton } from '../../kit/WhyNotButton.tsx';
import { useData } from '../../data/port.ts';
import { clock, lowerFirst } from '../../data/live/freshness.ts';
import type { LiveObject } from '../../data/live/object.ts';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { ButtonLink } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { State, stateLook } from '../../kit/State.tsx';
import { CloseTab } from '../../frame/CloseTab.tsx';
import { failureScope } from '../../frame/failure-scope.ts';
import { useEnded } from '../../workspace/use-ended.ts';
import { needText } from '../list/need.ts';
import { isClusterKind } from './DetailHead.tsx';
import { ownersOf } from './related.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

const LastYaml = lazyPart(async () => (await import('./LastYaml.tsx')).LastYaml);
const GoneTraces = lazyPart(async () => (await import('./Findings.tsx')).GoneTraces);

interface DetailStateProps {
  readonly kind: AnyKind;
  readonly self: ObjectRef;
  readonly data: LiveObject | undefined;
  readonly onRetry: () => void;
  /** The server's clock, ms. */
  readonly now: number;
}

/** In a word why an object will not show any more; undefined while it may. */
function endedWord(data: LiveObject | undefined): string | undefined {
  if (data?.gone !== undefined) return data.view === undefined ? 'not there' : 'deleted';
  const status = data?.state.status;
  if (status === 'forbidden' || data?.ended?.status === 403) return 'no access';
  return status === 'absent' ? 'not served' : data?.ended === undefined ? undefined : 'not loaded';
}

/** Whether the cluster has not yet said anything of an object, and may still do so. */
export function isAwaited(data: LiveObject | undefined): boolean {
  const status = data?.state.status ?? 'loading';
  return data?.ended === undefined && data?.complete !== true && (status === 'loading' || status === 'live');
}

/** Shown in place of an object that cannot be shown, with the reason. */
export function DetailState({ kind, self, data, onRetry, now }: DetailStateProps) {
  const { queries } = useData();
  const { data: clusters } = useQuery(queries.clusters);
  const cluster = clusters?.find(({ id }) => String(id) === self.cluster)?.name ?? '';
  const name = `${kind.kind} ${qualifiedName(self)}`;
  const status = data?.state.status ?? 'loading';
  const isWaiting = isAwaited(data);
  const isLong = useLongWait(isWaiting);
  const list = fillPath(kind.paths.list, { clusterId: self.cluster });
  const ways = (
    <>
      <ButtonLink variant="secondary" size="sm" href={list}>
        Show all {lowerFirst(kind.title)}
      </ButtonLink>
      <CloseTab />
    </>
  );
  useEnded(isWaiting ? undefined : endedWord(data));
  const icon = { size: 22, strokeWidth: 1.75, 'aria-hidden': true } as const;

  if (data?.ended !== undefined || status === 'forbidden') {
    const message = data?.ended?.title ?? data?.state.message;
    if (data?.ended !== undefined && data.ended.status !== 403)
      return <Failed title={`Could not load ${name}.`} message={message} />;
    const { cluster: clusterId, namespace } = self;
    const what = `View ${lowerFirst(kind.title)}`;
    const refused = { what, needs: kind.permissions.view, cluster: clusterId, namespace };
    return (
      <State
        level={1}
        icon={<Lock {...icon} />}
        title={`${data?.ended === undefined ? 'The console' : 'You'} cannot view ${lowerFirst(kind.title)} in ${cluster}`}
        actions={
          <>
            {data?.ended !== undefined && <WhyNotButton refused={refused} />}
            <NamespacesRemedy clusterId={Number(clusterId)} state={data?.state} />
            <CloseTab />
          </>
        }
      >
        {message ?? needText(kind.permissions.view)}
      </State>
    );
  }
  if (data?.gone !== undefined) {
    const { at } = data.gone;
    const last = data.view?.object as KubeObject | undefined;
    if (last === undefined)
      return (
        <State
          level={1}
          icon={<PackageX {...icon} />}
          title={`There is no ${name} in ${cluster}`}
          actions={ways}
        >
          It may have been deleted, or has another name.
        </State>
      );
    return (
      <div>
        <State
          level={1}
          place="above"
          icon={<Trash2 {...icon} />}
          title={`${name} was deleted`}
          actions={ways}
        >
          {at === null
            ? 'It was deleted while the console was disconnected.'
            : `Seen at ${clock(Date.parse(at))}.`}{' '}
          This is its last known state.
        </State>
        <Suspense>
          <GoneTraces self={self} owners={ownersOf(self.cluster, last, isClusterKind)} now={now} />
        </Suspense>
        <Suspense>
          <LastYaml kind={kind} object={last} name={self.name} />
        </Suspense>
      </div>
    );
  }
  if (status === 'absent')
    return (
      <State
        level={1}
        icon={<PackageX {...icon} />}
        title={`${cluster} does not serve ${lowerFirst(kind.title)}`}
        actions={<CloseTab />}
      >
        {data?.state.message ?? `The API ${kind.group}/${kind.version} is not installed there.`}
      </State>
    );
  if (isWaiting)
    return (
      <div aria-busy="true" className="h-full">
        {isLong && <SkeletonRows />}
      </div>
    );
  return (
    <Failed
      title={`Could not load ${name}.`}
      message={`${data?.state.message ?? `${cluster} is unreachable.`}${failureScope(clusters, Number(self.cluster))}`}
      onRetry={onRetry}
    />
  );
}

interface FailedProps {
  readonly title: string;
  readonly message: string | undefined;
  readonly onRetry?: () => void;
}

function Failed({ title, message, onRetry }: FailedProps) {
  return (
    <div className={stateLook({ isStretched: true })}>
      <ErrorAlert title={title} message={message ?? 'The server gave no reason.'} onRetry={onRetry} />
    </div>
  );
}
