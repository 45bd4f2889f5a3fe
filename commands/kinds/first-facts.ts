import { factsOf, type FirstFacts } from '../../src/registry/kind-facts.ts';
import { kinds } from './index.ts';

/**
 * What a list needs of every kind, as plain data in sidebar order. The build of the page evaluates this module and puts
 * its value in its place: actions come with the other commands, the code of the kinds with the first detail.
 */
export const firstFacts: readonly FirstFacts[] = kinds.map((kind) => {
  const { actions: _actions, ...first } = factsOf(kind);
  return first;
});
