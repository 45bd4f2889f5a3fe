import type { ListState } from '../../../contract/live.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { mergeStates } from '../feed/feed-state.ts';
import { isNamespaceKind } from '../../access/place.ts';

/**
 * How fresh a dashboard is, from the states of the lists that it is made of.
 * @param stateOf undefined for a kind whose list is not open
 * @param now epoch ms
 */
export function boardState(
  kinds: readonly AnyKind[],
  stateOf: (kind: AnyKind) => ListState | undefined,
  now: number,
): ListState {
  const states = new Map(
    kinds.flatMap((kind) => {
      const state = stateOf(kind);
      // A kind that the cluster does not serve is not missing from its dashboard.
      if (state === undefined || state.status === 'absent') return [];
      // Namespaces read by name make nothing else on the dashboard older.
      const isFresh = state.status === 'polled' && isNamespaceKind(kind);
      return [[kind.title, isFresh ? { ...state, status: 'live' as const } : state] as const];
    }),
  );
  const merged = mergeStates(states);
  if (merged === undefined) return { status: 'live', since: new Date(now).toISOString() };
  const all = [...states.values()];
  // Where nothing can be read, that which helps is the reason.
  if (merged.status === 'forbidden') return all.find(({ remedy }) => remedy !== undefined) ?? merged;
  // A list that is live says with a message that it has not every object.
  const narrowed = all.find(({ status, message }) => status === 'live' && message !== undefined)?.message;
  const message = narrowed ?? all.find((state) => state.message !== undefined)?.message;
  if (message === undefined || merged.message === message) return merged;
  if (merged.message === undefined) return { ...merged, message };
  if (narrowed === undefined || merged.message.startsWith(narrowed)) return merged;
  return { ...merged, message: `${narrowed} ${merged.message}` };
}
