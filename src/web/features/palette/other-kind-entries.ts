import { wordsOf } from '../../../registry/palette/words.ts';
import { commandEntry, isOffered, isOwn, isThere, kindWords, ownBoost } from './command-entries.ts';
import { type Candidate, candidate } from './rank-entries.ts';
import type { RootParts } from './root-parts.ts';

/**
 * The actions on the palette's subject once more, for an object that is still to be chosen: where the text names a kind that
 * they take and the subject is not of, as `delete pod` does on a Deployment.
 */
export function otherKindCandidates({
  registry,
  opening,
  input,
}: Pick<RootParts, 'registry' | 'opening' | 'input'>): readonly Candidate[] {
  const words = wordsOf(input.text);
  if (words.length < 2) return [];
  return registry.commands
    .filter((command) => isOwn(command, opening) && isOffered(command) && isThere(command, opening))
    .flatMap((command): readonly Candidate[] => {
      const own = lowerCase(kindWords(command, opening.subject));
      const others = lowerCase(kindWords(command)).filter((word) => !own.includes(word));
      if (!words.some((word) => others.includes(word))) return [];
      const entry = commandEntry(command, { ...opening, subject: { type: 'none' } });
      return [
        candidate(
          { ...entry, id: `${entry.id} of another kind`, note: 'another object' },
          [...(command.keywords ?? []), command.group, ...others],
          ownBoost,
        ),
      ];
    });
}

const lowerCase = (words: readonly string[]): readonly string[] => words.map((word) => word.toLowerCase());
