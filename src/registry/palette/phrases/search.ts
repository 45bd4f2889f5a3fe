import { clustersPhrases } from './clusters.ts';
import { kindsPhrases } from './kinds.ts';
import { objectsPhrases } from './objects.ts';
import { organisationPhrases } from './organisation.ts';
import { phrasesIn } from './phrases.ts';
import { settingsPhrases } from './settings.ts';
import { workspacePhrases } from './workspace.ts';

/** The phrases of a command, by its id, and whether they find it only where it acts on what is at hand. */
interface Found {
  readonly phrases: readonly string[];
  readonly isForAny: boolean;
}

const foundById = new Map<string, Found>();
for (const [ids, text] of Object.entries({
  ...clustersPhrases,
  ...kindsPhrases,
  ...objectsPhrases,
  ...organisationPhrases,
  ...settingsPhrases,
  ...workspacePhrases,
})) {
  const phrases = phrasesIn(text);
  for (const [at, id] of ids.split(' ').entries()) foundById.set(id, { phrases, isForAny: at === 0 });
}

/** Ids of the commands that have phrases. */
export const idsWithPhrases: readonly string[] = [...foundById.keys()];

/**
 * The phrases that people type for a command. Like keywords these are found whole or by their words; unlike them they are no
 * names of an act on an object.
 */
export function searchPhrases(id: string, isOnSubject: boolean): readonly string[] {
  const found = foundById.get(id);
  return found === undefined || !(found.isForAny || isOnSubject) ? [] : found.phrases;
}
