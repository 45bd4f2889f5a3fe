import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'vite';
import { api } from '../contract/api.ts';
import { callOf, calls } from '../contract/calls.ts';

const file = fileURLToPath(new URL('../contract/calls.json', import.meta.url));

/** What `calls.json` has to say. */
const currentCalls = () =>
  Object.fromEntries(Object.entries(api).map(([name, endpoint]) => [name, callOf(endpoint)]));

/** Whether `calls.json` says what the contract says. */
export const areCallsCurrent = (): boolean => isDeepStrictEqual(calls, currentCalls());

/** Writes `calls.json` from the contract. */
export async function writeCalls(): Promise<void> {
  await writeFile(file, `${JSON.stringify(currentCalls(), null, 2)}\n`);
}

/** Stops a build, and the development server, whose page would make other calls than the server takes. It changes nothing. */
export function callsMustBeCurrent(): Plugin {
  return {
    name: 'calls-must-be-current',
    buildStart() {
      if (!areCallsCurrent())
        this.error('src/contract/calls.json does not fit the contract: npm run first writes it.');
    },
  };
}
