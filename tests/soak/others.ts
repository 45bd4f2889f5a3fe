import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Claim } from './claims.ts';

const root = resolve(import.meta.dirname, '../..');

/** Runs a program of the project to its end, or until the signal is aborted; says whether it succeeded. */
function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<boolean> {
  const child = spawn(process.execPath, [resolve(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const stop = (): void => {
    child.kill('SIGTERM');
  };
  signal.addEventListener('abort', stop);
  return new Promise((done) =>
    child.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      done(code === 0);
    }),
  );
}

/** 200 kill -9 of a single server and of its database while it writes: the proof of the store, in full. */
export async function proveKills(seed: number, signal: AbortSignal): Promise<Claim> {
  const args = ['run', 'tests/server/store/kill.test.ts', '--testTimeout=1800000'];
  const isKept = await runProgram(
    'vitest/vitest.mjs',
    args,
    { PROVE: '1', PROVE_SEED: String(seed) },
    signal,
  );
  return {
    name: 'acknowledged rows lost, or indexes corrupt, by 200 kill -9 of a single server',
    measured: isKept ? 'none' : signal.aborted ? 'interrupted' : 'see the output of the proof',
    limit: 'none',
    isKept: signal.aborted ? undefined : isKept,
  };
}

/**
 * End-to-end files about what is one server's own, with the reason. Without names of files they are left out; those that
 * are named run all the same.
 */
const journeysOfOneServer: Readonly<Record<string, string>> = {
  'first-start.spec.ts': 'a first start with the embedded database and its playground',
  'passkeys.spec.ts': 'passkeys need a host name, and the round-robin has an address',
  'subscription.spec.ts': 'each server has pages of its own for payments in test mode',
};

/** The end-to-end tests, all that several servers can serve or some files, against them behind the round-robin. */
export async function runJourneys(
  files: readonly string[],
  servers: number,
  signal: AbortSignal,
): Promise<boolean> {
  const all = (await readdir(resolve(root, 'tests/e2e'))).filter((name) => name.endsWith('.spec.ts'));
  const chosen = files.length > 0 ? files : all.filter((name) => journeysOfOneServer[name] === undefined);
  // One file at a time: its product is as many processes as three files have otherwise.
  const args = ['test', '--config', 'tests/e2e/playwright.config.ts', '--workers=1', ...chosen];
  return await runProgram('playwright/cli.js', args, { E2E_SERVERS: String(servers) }, signal);
}
