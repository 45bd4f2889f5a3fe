import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'vite';
import { currentFirstFacts, currentLaterFacts } from '../../commands/kinds/facts.ts';
import { firstFacts, type WrittenFacts } from '../../commands/kinds/first-facts.ts';
import { laterFacts } from '../../commands/kinds/later-facts.ts';
import type { FirstFacts } from '../registry/kinds/kind-facts.ts';
import { generalPaths } from '../registry/kinds/kind-paths.ts';
import { pluralTitle } from '../registry/kinds/kind-title.ts';

const fileOf = (name: string) => fileURLToPath(new URL(`../../commands/kinds/${name}`, import.meta.url));

/** Whether `first-facts.json` and `later-facts.json` say what the kind files say. */
export const areFactsCurrent = (): boolean =>
  isDeepStrictEqual(firstFacts, currentFirstFacts) && isDeepStrictEqual(laterFacts, currentLaterFacts);

/** The first facts of a kind without what follows from its names. */
function writtenFactsOf({ title, paths, ...rest }: FirstFacts): WrittenFacts {
  return {
    ...rest,
    ...(title === pluralTitle(rest.kind, rest.plural) ? {} : { title }),
    ...(isDeepStrictEqual(paths, generalPaths(rest)) ? {} : { paths }),
  };
}

/** Writes the facts from the kind files. */
export async function writeFacts(): Promise<void> {
  for (const [name, facts] of [
    ['first-facts.json', currentFirstFacts.map(writtenFactsOf)],
    ['later-facts.json', currentLaterFacts],
  ] as const)
    await writeFile(fileOf(name), `${JSON.stringify(facts, null, 2)}\n`);
}

/** Stops a build, and the development server, whose page would show other columns than the server sends. It changes nothing. */
export function factsMustBeCurrent(): Plugin {
  return {
    name: 'facts-must-be-current',
    buildStart() {
      if (!areFactsCurrent())
        this.error(
          'commands/kinds/first-facts.json and later-facts.json do not fit the kind files: npm run first writes them.',
        );
    },
  };
}
