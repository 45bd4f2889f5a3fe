import type { DeclaredFacts } from '../../src/registry/kind-facts.ts';
import { actionFacts } from './action-facts.ts';
import { firstFacts } from './first-facts.ts';

/** Every kind as plain data, in sidebar order: for what is loaded after the first list. */
export const kindFacts: readonly DeclaredFacts[] = firstFacts.map((kind) => ({
  ...kind,
  actions: actionFacts[kind.id] ?? [],
}));
