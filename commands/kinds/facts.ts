import { type DeclaredFacts, factsOf } from '../../src/registry/kind-facts.ts';
import { kinds } from './index.ts';

/**
 * Every kind as plain data, in sidebar order. The build of the page evaluates this module and puts its value in its
 * place, so that a page carries what a list needs and loads the code of the kinds with the first detail.
 */
export const kindFacts: readonly DeclaredFacts[] = kinds.map((kind) => factsOf(kind));
