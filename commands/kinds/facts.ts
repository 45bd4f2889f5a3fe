import {
  type DeclaredFacts,
  factsOf,
  type FirstFacts,
  laterActionOf,
  type LaterFacts,
  laterKindOf,
} from '../../src/registry/kinds/kind-facts.ts';
import { objectActions } from '../../src/registry/kinds/object-actions.ts';
import { actionById, actionIds, kinds } from './index.ts';

/** All kinds with a file as plain data, in sidebar order. */
export const kindFacts: readonly DeclaredFacts[] = kinds.map((kind) => factsOf(kind));

/** The expected content of `first-facts.json`. */
export const currentFirstFacts: readonly FirstFacts[] = kindFacts.map(
  ({ actions: _actions, ...first }) => first,
);

/** The expected content of `later-facts.json`. */
export const currentLaterFacts: LaterFacts = {
  actions: actionIds.flatMap((id) => {
    const action = actionById(id);
    return action === undefined ? [] : [laterActionOf(action)];
  }),
  kinds: Object.fromEntries(kinds.map((kind) => [kind.id, laterKindOf(kind)])),
  ofAny: objectActions.map(({ id }) => id),
};
