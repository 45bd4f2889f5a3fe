import { spawn } from 'node:child_process';
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
    measured: isKept ? 'none' : 'see the output of the proof',
    limit: 'none',
    isKept,
  };
}

/** The end-to-end tests against several servers behind the round-robin. */
export async function runJourneys(
  files: readonly string[],
  servers: number,
  signal: AbortSignal,
): Promise<boolean> {
  const args = ['test', '--config', 'tests/e2e/playwright.config.ts', ...files];
  return await runProgram('playwright/cli.js', args, { E2E_SERVERS: String(servers) }, signal);
}
