import { type DeclaredFacts, factsOf, type FirstFacts } from '../../src/registry/kind-facts.ts';
import { kinds } from './index.ts';

/** Every kind with a file as plain data, in sidebar order: for the server, and for what a page loads after its first list. */
export const kindFacts: readonly DeclaredFacts[] = kinds.map((kind) => factsOf(kind));

/** What `first-facts.json` has to say. */
export const currentFirstFacts: readonly FirstFacts[] = kindFacts.map(
  ({ actions: _actions, ...first }) => first,
);
