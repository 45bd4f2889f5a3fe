import { useQuery } from '@tanstack/react-query';
import { Lock, Workflow } from 'lucide-react';
import { useData } from '../../data/port.ts';
import type { LiveList } from '../../data/live/rows.ts';
import { failureScope } from '../../frame/failure-scope.ts';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { State, stateLook } from '../../kit/State.tsx';
import type { RefusedAct } from '../../kit/use-why-not.ts';
import { WhyNotButton } from '../../kit/WhyNotButton.tsx';

interface GraphStateProps {
  readonly list: LiveList | undefined;
  readonly clusterId: number;
  readonly of: string;
  readonly isRoot: boolean;
  /** The act that the console's own rules refuse where the object may not be seen. */
  readonly refused: RefusedAct | undefined;
  readonly onRetry: () => void;
}

/** Shown in place of an empty graph, with the reason. */
export function GraphState({ list, clusterId, of, isRoot, refused, onRetry }: GraphStateProps) {
  const { queries } = useData();
  const { data: clusters } = useQuery(queries.clusters);
  const cluster = clusters?.find(({ id }) => id === clusterId)?.name ?? 'The cluster';
  const status = list?.state.status ?? 'loading';
  const isWaiting =
    list?.ended === undefined && list?.complete !== true && (status === 'loading' || status === 'live');
  const isLong = useLongWait(isWaiting);
  const icon = { size: 22, strokeWidth: 1.75, 'aria-hidden': true } as const;
  if (isWaiting)
    return (
      <div aria-busy="true" className="h-full">
        {isLong && <SkeletonRows />}
      </div>
    );
  const isForbidden = list?.ended?.status === 403 || status === 'forbidden';
  if (isForbidden)
    return (
      <State
        icon={<Lock {...icon} />}
        title={`You cannot view the graph of ${of}`}
        actions={list?.ended !== undefined && refused && <WhyNotButton refused={refused} />}
      >
        {list?.ended?.title ?? list?.state.message}
      </State>
    );
  if (list?.ended !== undefined || list?.complete !== true)
    return (
      <div className={stateLook({ isStretched: true })}>
        <ErrorAlert
          title={`Could not load the graph of ${of}.`}
          message={`${list?.ended?.title ?? list?.state.message ?? `${cluster} is unreachable.`}${failureScope(clusters, clusterId)}`}
          onRetry={onRetry}
        />
      </div>
    );
  return (
    <State
      icon={<Workflow {...icon} />}
      title={isRoot ? `Nothing is known about ${of}` : `Nothing to draw in ${of}`}
    >
      {list.state.message ??
        (isRoot ? 'It was deleted, or never existed.' : 'Objects appear here as soon as there are some.')}
    </State>
  );
}
