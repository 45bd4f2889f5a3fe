import { useState } from 'react';
import type { KindFacts } from '../../../registry/kind-facts.ts';
import { useData } from '../../data/port.ts';
import type { LiveList } from '../../data/live/rows.ts';
import { type ListTarget, targetKey } from '../../data/live/targets.ts';
import { useLive } from '../../data/live/use-live.ts';
import type { ColumnChoice } from '../../core/state/columns.ts';

/** Lists up to so many rows tell what their objects use without being asked: what that costs grows with the cluster. */
const maxRowsForUsage = 2_000;

/** Whether what its objects use is told beside the rows, though nobody chose the wide table. */
function wantsUsage(kind: KindFacts, choice: ColumnChoice): boolean {
  return kind.columns.some(({ id, join }) => join === 'metrics' && (choice.columns[id] ?? true));
}

/**
 * A live list: at first as it is asked for, which is there soonest, then, while it is not long, with what its objects
 * use. The one follows on the other without a gap.
 */
export function useList(
  target: ListTarget,
  kind: KindFacts,
  choice: ColumnChoice,
  isVisible: boolean,
): { readonly list: LiveList | undefined; readonly retry: () => void } {
  const { live } = useData();
  const key = targetKey(target);
  // For which list the fuller one has taken over.
  const [over, setOver] = useState<string | undefined>(undefined);
  const isOver = over === key;
  const plain = useLive<ListTarget>(target, isVisible && !isOver);
  const isFuller =
    target.wide !== true &&
    wantsUsage(kind, choice) &&
    (isOver || (plain?.complete === true && plain.rows.size <= maxRowsForUsage));
  const wide: ListTarget | undefined = isFuller ? { ...target, wide: true } : undefined;
  const fuller = useLive<ListTarget>(wide, isVisible);
  // Only what takes over must be short: the plain list has not been kept up since.
  const isThere =
    fuller?.complete === true &&
    fuller.ended === undefined &&
    (isOver || fuller.rows.size <= maxRowsForUsage);
  if (isThere !== isOver) setOver(isThere ? key : undefined);
  return {
    list: isThere ? fuller : plain,
    retry: () => live.retry(isThere && wide !== undefined ? wide : target),
  };
}
