import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';

const program = new URL('../../src/playground/start.mjs', import.meta.url).pathname;
const folder = mkdtempSync(path.join(tmpdir(), 'playground-'));
const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function start(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  return child;
}

async function firstLine(child: ReturnType<typeof start>): Promise<string> {
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return line;
}

test('prints one line with its address and writes a kubeconfig that only its owner can read', async () => {
  const file = path.join(folder, 'config');
  const child = start('--seed', 'none', '--kubeconfig', file, '--token', 'a-token-of-mine');
  const ready = JSON.parse(await firstLine(child)) as { ready: boolean; port: number; server: string };
  expect(ready).toEqual({ ready: true, port: ready.port, server: `https://127.0.0.1:${ready.port}` });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const config = parse(readFileSync(file, 'utf8')) as {
    clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
    users: { user: { token: string } }[];
  };
  expect(config.clusters[0]?.cluster.server).toBe(ready.server);
  expect(
    Buffer.from(config.clusters[0]?.cluster['certificate-authority-data'] ?? '', 'base64').toString(),
  ).toContain('BEGIN CERTIFICATE');
  expect(config.users[0]?.user.token).toBe('a-token-of-mine');
});

test('ends at once on SIGTERM', async () => {
  const child = start('--seed', 'none');
  await firstLine(child);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('ends with its parent, even when that was killed', async () => {
  const parent = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { spawn } from 'node:child_process';
       const child = spawn(process.execPath, [${JSON.stringify(program)}, '--seed', 'none', '--with-parent'], { stdio: ['pipe', 'pipe', 'inherit'] });
       child.stdout.once('data', () => console.log(child.pid));`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  running.add(parent);
  const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
  const pid = Number(line);
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
});

test('refuses an invalid option with a sentence and exit code 1', async () => {
  const child = start('--seed', 'garden');
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said).toContain('There is no seed "garden": use company, staging, none or bulk:N.');
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie whose parent was killed waits for init: it is dead for all that matters.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
