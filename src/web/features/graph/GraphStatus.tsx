import { useMemo } from 'react';
import type { LiveList } from '../../data/live/rows.ts';
import { Hints } from '../../keyboard/Hints.tsx';
import { isRetryable } from '../../data/live/freshness.ts';
import { AccessCountdown } from '../../frame/AccessCountdown.tsx';
import { FreshLine, useFreshness } from '../../frame/FreshLine.tsx';
import { StatusLine, StatusRetry, StatusSpace, Tally } from '../../kit/StatusLine.tsx';
import type { GraphModel } from './model.ts';

interface GraphStatusProps {
  readonly clusterId: number;
  readonly list: LiveList | undefined;
  readonly isTree: boolean;
  readonly model: GraphModel;
  readonly onRetry: () => void;
}

const toneLabels = { bad: 'failing', warn: 'degraded' } as const;

/** The line below a graph: mode, how fresh it is, how its objects do, and the keys that work. */
export function GraphStatus({ clusterId, list, isTree, model, onRetry }: GraphStatusProps) {
  const freshness = useFreshness(list, { title: 'the graph', clusterId });
  const counts = useMemo(() => {
    const found = { bad: 0, warn: 0 };
    for (const { status } of model.nodes.values())
      if (status?.tone === 'bad' || status?.tone === 'warn') found[status.tone] += 1;
    return found;
  }, [model]);
  const canRetry = isRetryable(freshness);
  return (
    <StatusLine mode={isTree ? 'TREE' : 'GRAPH'} isStale={freshness.look === 'stale'}>
      <FreshLine freshness={freshness} />
      <AccessCountdown clusterId={clusterId} />
      {(['bad', 'warn'] as const).map(
        (tone) =>
          counts[tone] > 0 && <Tally key={tone} tone={tone} count={counts[tone]} word={toneLabels[tone]} />,
      )}
      {canRetry ? (
        <>
          <StatusSpace />
          <StatusRetry onRetry={onRetry} />
        </>
      ) : (
        <Hints
          hints={[
            { id: 'graph.open', text: 'open' },
            { id: 'graph.fold', text: 'fold' },
            { id: 'object.graph', text: 'graph of this' },
            { id: 'graph.form', text: isTree ? 'graph' : 'tree' },
          ]}
        />
      )}
    </StatusLine>
  );
}
