import type { ListState } from '../../../contract/live.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { mergeStates } from '../feed/feed-state.ts';

/** The kinds of a graph, as far as they decide how fresh it is. */
export interface GraphKinds {
  /** Declared kinds. */
  readonly kinds: readonly AnyKind[];
  /** Kinds that objects refer to. */
  readonly customKinds: readonly AnyKind[];
  /** Kinds that the person may not view. */
  readonly unviewable: readonly AnyKind[];
}

/**
 * How fresh a graph is, from the states of the lists that it is made of.
 * @param stateOf undefined for a kind whose list is not open
 * @param now epoch ms
 */
export function graphState(
  { kinds, customKinds, unviewable }: GraphKinds,
  stateOf: (kind: AnyKind) => ListState | undefined,
  now: number,
): ListState {
  const states = new Map<string, ListState>();
  for (const kind of kinds) {
    const state = stateOf(kind);
    // A kind that the cluster does not serve has no objects there.
    if (state !== undefined && state.status !== 'absent') states.set(kind.title, state);
  }
  for (const kind of customKinds) {
    const state = stateOf(kind);
    // Until its list is read, its objects are drawn by their names.
    if (state !== undefined && state.status !== 'absent' && state.status !== 'loading')
      states.set(kind.title, state);
  }
  const merged = mergeStates(states) ?? { status: 'live', since: new Date(now).toISOString() };
  const listMessage =
    merged.message ?? [...states.values()].find((state) => state.message !== undefined)?.message;
  const titles = unviewable.map(({ title }) => title);
  const permissionMessage =
    titles.length === 0 ? undefined : `Not shown because you may not view them: ${titles.join(', ')}.`;
  const message = [permissionMessage, listMessage].filter((one) => one !== undefined).join(' ');
  return message === '' ? merged : { ...merged, message };
}
