import { type ActionFacts, factsOf } from '../../src/registry/kind-facts.ts';
import { kinds } from './index.ts';

/** The actions of every kind as plain data, by the kind's id. Evaluated by the build like `first-facts.ts`. */
export const actionFacts: Readonly<Record<string, readonly ActionFacts[]>> = Object.fromEntries(
  kinds.map((kind) => [kind.id, factsOf(kind).actions]),
);
