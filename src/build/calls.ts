import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'vite';
import { api } from '../contract/api.ts';
import { callOf, firstCalls, firstNames } from '../contract/calls.ts';
import { laterCalls } from '../contract/later-calls.ts';

const fileOf = (name: string) => fileURLToPath(new URL(`../contract/${name}`, import.meta.url));

/** What `first-calls.json`, or `later-calls.json`, has to say. */
const currentCalls = (areFirst: boolean) =>
  Object.fromEntries(
    Object.entries(api).flatMap(([name, endpoint]) =>
      firstNames.has(name) === areFirst ? [[name, callOf(endpoint)]] : [],
    ),
  );

/** Whether the files say what the contract says. */
export const areCallsCurrent = (): boolean =>
  isDeepStrictEqual(firstCalls, currentCalls(true)) && isDeepStrictEqual(laterCalls, currentCalls(false));

/** Writes the files from the contract. */
export async function writeCalls(): Promise<void> {
  for (const [name, areFirst] of [
    ['first-calls.json', true],
    ['later-calls.json', false],
  ] as const)
    await writeFile(fileOf(name), `${JSON.stringify(currentCalls(areFirst), null, 2)}\n`);
}

/** Stops a build, and the development server, whose page would make other calls than the server takes. It changes nothing. */
export function callsMustBeCurrent(): Plugin {
  return {
    name: 'calls-must-be-current',
    buildStart() {
      if (!areCallsCurrent())
        this.error(
          'src/contract/first-calls.json and later-calls.json do not fit the contract: npm run first writes them.',
        );
    },
  };
}
