import type { ActionState } from '../../../contract/objects.ts';
import type { ActionFacts } from '../../../registry/kinds/kind-facts.ts';

/** An action to offer, with what keeps it from being done now. */
export interface OfferedAction {
  readonly action: ActionFacts;
  readonly reason: string | undefined;
}

/**
 * The actions to offer, in the order of the kind with those that destroy last, the harshest behind them: only what the server says the person may
 * do on these objects. Nothing while that is not known.
 */
export function actionsFor(
  actions: readonly ActionFacts[],
  states: readonly ActionState[] | undefined,
): readonly OfferedAction[] {
  const offered = actions.flatMap((action) => {
    const state = states?.find(({ id }) => id === action.id);
    if (state === undefined) return [];
    return [{ action, reason: state.enabled === true ? undefined : state.enabled }];
  });
  // Of two that destroy, the milder one comes first.
  const destroys = ({ action }: OfferedAction) =>
    Number(action.dangerous === true) + Number(action.harsherThan !== undefined);
  return offered.toSorted((a, b) => destroys(a) - destroys(b));
}
