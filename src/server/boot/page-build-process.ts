import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildMegabytes } from './build-memory.ts';
import { StartError } from '../kit/start-error.ts';

const program = join(import.meta.dirname, 'page-build-child.ts');

/**
 * Builds the page of a checkout into a folder, in a process of its own: the bundler takes more than a gigabyte, and a
 * process that has loaded it keeps most of that for ever. What the bundler prints is printed.
 * Throws StartError with the bundler's own message. A SIGINT or SIGTERM meanwhile ends the build, removes the folder and
 * ends this process with the signal's usual code.
 */
export async function buildInChild(root: string, folder: string): Promise<void> {
  const child = fork(program, [root, folder], {
    // This process's own flags are for a small server.
    execArgv: [],
    // Vite builds React's development half under any other NODE_ENV: three times the size, and slower.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const stop = (signal: NodeJS.Signals): void => {
    child.once('exit', () => {
      rmSync(folder, { recursive: true, force: true });
      console.error('The build of the page was stopped.');
      process.exit(signal === 'SIGINT' ? 130 : 143);
    });
    child.kill('SIGKILL');
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  let failure: string | undefined;
  child.on('message', (said) => {
    if (typeof said === 'object' && said !== null && 'message' in said) failure = String(said.message);
  });
  try {
    const [code, killed] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    if (code === 0) return;
    const reason =
      failure ??
      (killed === null
        ? `its process ended with code ${code}.`
        : `its process was killed (${killed}). A build takes about ${buildMegabytes} MB of memory.`);
    throw new StartError(`The page could not be built: ${reason}`);
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}
