import type { FirstFacts } from '../../src/registry/kinds/kind-facts.ts';
import { generalPaths } from '../../src/registry/kinds/kind-paths.ts';
import { pluralTitle } from '../../src/registry/kinds/kind-title.ts';
import facts from './first-facts.json' with { type: 'json' };

/** The first facts as the JSON has them: without what follows from the kind's names. */
export type WrittenFacts = Omit<FirstFacts, 'paths' | 'title'> & Partial<Pick<FirstFacts, 'paths' | 'title'>>;

/**
 * Facts that a page needs of every kind before its first list, in sidebar order. `npm run first` writes the JSON from the kind files, so
 * that their code can load after the list; a build with a JSON that does not fit them fails.
 */
// JSON has no literal types: a test compares it with the facts of the kinds.
export const firstFacts: readonly FirstFacts[] = (facts as unknown as readonly WrittenFacts[]).map(
  (kind) => ({
    ...kind,
    title: kind.title ?? pluralTitle(kind.kind, kind.plural),
    paths: kind.paths ?? generalPaths(kind),
  }),
);
