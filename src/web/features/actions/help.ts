import type { AttentionLine } from '../../../contract/dashboard.ts';
import type { ActionState } from '../../../contract/objects.ts';
import type { ActionFacts } from '../../../registry/kinds/kind-facts.ts';
import { actionsOf } from '../../core/kinds/actions.ts';
import type { KnownKinds } from '../../core/kinds/known.ts';
import { refIn, type Refs } from './acting.ts';

/** An action that helps, and the objects it helps on. */
export interface Help {
  readonly facts: ActionFacts;
  readonly refs: Refs;
}

/**
 * The remedy offered for a trouble; undefined if there is none, or none that this page can run: a trouble may name an
 * action that does not exist yet.
 */
export function helpOf(
  kinds: Pick<KnownKinds, 'of'>,
  clusterId: number,
  action: AttentionLine['action'],
): Help | undefined {
  const [first, ...rest] = action?.refs.map((ref) => refIn(clusterId, ref)) ?? [];
  if (first === undefined) return undefined;
  const kind = kinds.of(first.cluster, first.kind);
  const facts = kind === undefined ? undefined : actionsOf(kind).find(({ id }) => id === action?.id);
  return facts === undefined ? undefined : { facts, refs: [first, ...rest] };
}

/** The server's verdicts on actions, as far as they are known. */
interface Verdicts {
  readonly data?: readonly ActionState[] | undefined;
}

/**
 * Why an action that helps cannot be done now, by the server's verdict; undefined if it can, and where the server has not
 * answered: nobody waits for a slow cluster, and the action itself says what is wrong.
 */
export function reasonAgainst(action: Pick<ActionFacts, 'id'>, { data }: Verdicts): string | undefined {
  if (data === undefined) return undefined;
  const state = data.find(({ id }) => id === action.id);
  if (state === undefined) return 'This cannot be done, or it was done already.';
  return state.enabled === true ? undefined : state.enabled;
}

/** Whether objects besides the one in trouble are offered: that ends the cause, which an action on one object may not. */
export const hasObjectHelp = ({ help = {} }: Pick<AttentionLine, 'help'>): boolean =>
  [help.creates, help.edits, help.opens].some((some) => some !== undefined && some.length > 0);
