import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'vite';
import { currentFirstFacts } from '../../commands/kinds/facts.ts';
import { firstFacts } from '../../commands/kinds/first-facts.ts';

const file = fileURLToPath(new URL('../../commands/kinds/first-facts.json', import.meta.url));

/** Whether `first-facts.json` says what the kind files say. */
export const areFactsCurrent = (): boolean => isDeepStrictEqual(firstFacts, currentFirstFacts);

/** Writes `first-facts.json` from the kind files. */
export async function writeFirstFacts(): Promise<void> {
  await writeFile(file, `${JSON.stringify(currentFirstFacts, null, 2)}\n`);
}

/** Stops a build, and the development server, whose page would show other columns than the server sends. It changes nothing. */
export function factsMustBeCurrent(): Plugin {
  return {
    name: 'facts-must-be-current',
    buildStart() {
      if (!areFactsCurrent())
        this.error('commands/kinds/first-facts.json does not fit the kind files: npm run first writes it.');
    },
  };
}
