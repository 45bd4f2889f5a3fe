import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What most test files import, by themselves or through `harness.ts`. */
const modules = [
  '../src/server/boot/app.ts',
  '../src/server/boot/playground-process.ts',
  '../src/playground/server.ts',
  '../commands/kinds/index.ts',
].map((path) => new URL(path, import.meta.url).href);

/**
 * Has Node compile the server and the playground into the cache that each process of a test file reads. Those processes
 * are ended by a signal, and a process that is leaves nothing in the cache.
 */
export async function setup(): Promise<void> {
  const quickStart = new URL('../src/server/quick-start.mjs', import.meta.url).href;
  const program = modules.map((module) => `await import(${JSON.stringify(module)});`).join('\n');
  await promisify(execFile)(process.execPath, [
    '--import',
    quickStart,
    '--input-type=module',
    '--eval',
    `${program}\nprocess.exit();`,
  ]);
}
