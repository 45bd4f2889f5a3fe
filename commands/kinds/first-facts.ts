import type { FirstFacts } from '../../src/registry/kind-facts.ts';
import facts from './first-facts.json' with { type: 'json' };

/**
 * What a page needs of every kind before its first list, in sidebar order. `npm run first` writes the JSON from the kind files, so
 * that their code can load after the list; a build with a JSON that does not fit them fails.
 */
// JSON has no literal types: a test compares it with the facts of the kinds.
export const firstFacts = facts as unknown as readonly FirstFacts[];
