import type {
  DeclaredFacts,
  LaterAction,
  LaterFacts,
  LaterKind,
} from '../../src/registry/kinds/kind-facts.ts';
import { firstFacts } from './first-facts.ts';
import facts from './later-facts.json' with { type: 'json' };

/**
 * Facts that commands, palette and menus need of the kinds after the first list. `npm run first` writes the JSON from the kind files, so
 * that their code can wait for the page of an object; a build with a JSON that does not fit them fails.
 */
// JSON has no literal types: a test compares it with the facts of the kinds.
export const laterFacts = facts as unknown as LaterFacts;

const actionsById = new Map(laterFacts.actions.map((action) => [action.id, action]));

/** The plain data of an action on objects, by its id; undefined if there is none. */
export const actionFactsById = (id: string): LaterAction | undefined => actionsById.get(id);

/** The actions with these ids. */
const actionsWith = (ids: readonly string[]): readonly LaterAction[] =>
  ids.flatMap((id) => actionsById.get(id) ?? []);

/** The actions of kinds without a file. */
export const actionsOfAny: readonly LaterAction[] = actionsWith(laterFacts.ofAny);

/** A kind with a file as plain data, with all that commands need. */
export type CommandKind = DeclaredFacts & Omit<LaterKind, 'actions'>;

/** All kinds with a file, in sidebar order. */
export const commandKinds: readonly CommandKind[] = firstFacts.map((first) => {
  const later = laterFacts.kinds[first.id];
  return { ...first, ...later, tools: later?.tools ?? [], actions: actionsWith(later?.actions ?? []) };
});
