import { useState } from 'react';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { useData } from '../../data/port.ts';
import type { LiveList } from '../../data/live/rows.ts';
import { type ListTarget, targetKey } from '../../data/live/targets.ts';
import { useLive } from '../../data/live/use-live.ts';
import type { ColumnChoice } from '../../core/state/columns.ts';

/** Lists up to this many rows include usage without being asked: its cost grows with the cluster. */
const maxRowsForUsage = 2_000;

/** Whether usage is shown by default, without the wide table. */
function wantsUsage(kind: KindFacts, choice: ColumnChoice): boolean {
  return kind.columns.some(({ id, join }) => join === 'metrics' && (choice.columns[id] ?? true));
}

/**
 * A live list: first as it was asked for, which arrives soonest, then, if it is not long, with usage. The second replaces
 * the first without a gap.
 */
export function useList(
  target: ListTarget,
  kind: KindFacts,
  choice: ColumnChoice,
  isVisible: boolean,
  /** Somebody asks for what the objects use, however many they are. */
  asksUsage: boolean,
): { readonly list: LiveList | undefined; readonly retry: () => void } {
  const { live } = useData();
  const key = targetKey(target);
  // The key of the list that the one with usage has replaced.
  const [over, setOver] = useState<string | undefined>(undefined);
  const isOver = over === key;
  const plain = useLive<ListTarget>(target, isVisible && !isOver);
  const isFuller =
    target.wide !== true &&
    (asksUsage || wantsUsage(kind, choice)) &&
    (isOver || (plain?.complete === true && (asksUsage || plain.rows.size <= maxRowsForUsage)));
  const wide: ListTarget | undefined = isFuller ? { ...target, wide: true } : undefined;
  const fuller = useLive<ListTarget>(wide, isVisible);
  // Only the replacing list must be short: the plain one is no longer kept current afterwards.
  const isThere =
    fuller?.complete === true &&
    fuller.ended === undefined &&
    (isOver || asksUsage || fuller.rows.size <= maxRowsForUsage);
  if (isThere !== isOver) setOver(isThere ? key : undefined);
  return {
    list: isThere ? fuller : plain,
    retry: () => live.retry(isThere && wide !== undefined ? wide : target),
  };
}
