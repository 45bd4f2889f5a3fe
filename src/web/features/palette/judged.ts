import { actionFactsById } from '../../../../commands/kinds/later-facts.ts';
import type { ActionState } from '../../../contract/objects.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { Entry } from './entries.ts';

/** The server's verdict on the actions of the palette's subject. */
export interface Judged {
  readonly refs: readonly [ObjectRef, ...ObjectRef[]];
  readonly states: readonly ActionState[];
  /** Ids of the actions that the person may not do on them. */
  readonly refused: readonly string[];
}

const objectRefKey = ({ cluster, kind, namespace = '', name }: ObjectRef) =>
  JSON.stringify([cluster, kind, namespace, name]);

const isSame = (a: readonly ObjectRef[], b: readonly ObjectRef[]): boolean =>
  a.length === b.length && a.every((ref, index) => objectRefKey(ref) === objectRefKey(b[index] ?? ref));

/** Why an action is not offered on these objects: it is for such as are in another state. */
const notNow = ([first, ...others]: Judged['refs'], done: string): string =>
  others.length === 0
    ? `${first.name} was ${done} already, or cannot be.`
    : `The selected objects were ${done} already, or cannot be.`;

/**
 * The entries, with the reason on those actions on these objects that cannot be done now; without those that the person
 * may not do on their kind. What is for other objects, and what is no action on objects, stays as it is.
 */
export function withJudged(entries: readonly Entry[], judged: Judged | undefined): readonly Entry[] {
  if (judged === undefined) return entries;
  const { refs, states, refused } = judged;
  return entries.flatMap((entry): Entry | readonly Entry[] => {
    const { act } = entry;
    if (act.type !== 'command' || act.command.type !== 'action' || act.subject.type !== 'objects')
      return entry;
    const action = actionFactsById(act.command.id);
    if (action === undefined || !isSame(act.subject.refs, refs)) return entry;
    const state = states.find(({ id }) => id === action.id);
    if (state === undefined)
      return refused.includes(action.id) ? [] : { ...entry, reason: notNow(refs, action.done) };
    return state.enabled === true ? entry : { ...entry, reason: state.enabled };
  });
}
