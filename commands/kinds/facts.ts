import { type DeclaredFacts, factsOf, type FirstFacts } from '../../src/registry/kind-facts.ts';
import { kinds } from './index.ts';

/** All kinds with a file as plain data, in sidebar order: for the server, and for pages after their first list. */
export const kindFacts: readonly DeclaredFacts[] = kinds.map((kind) => factsOf(kind));

/** The expected content of `first-facts.json`. */
export const currentFirstFacts: readonly FirstFacts[] = kindFacts.map(
  ({ actions: _actions, ...first }) => first,
);
