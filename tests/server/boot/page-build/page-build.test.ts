import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildInChild } from '../../../../src/server/boot/page-build-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-build-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function ensure(outDir: string): {
  child: ChildProcessByStdio<null, Readable, Readable>;
  readonly output: () => string;
} {
  const program = join(import.meta.dirname, 'ensure.ts');
  const child = spawn(process.execPath, [program, outDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return { child, output: () => text };
}

test('a start that builds the page never loads the bundler, stays small, and builds no page of tokens', async () => {
  const outDir = join(folder, 'page');
  const { child, output } = ensure(outDir);
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(output()).toContain('Building the page');
  const said = JSON.parse(output().trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
  expect(said['bundlers']).toEqual([]);
  expect(said['peakMegabytes']).toBeLessThan(200);
  const pageDir = String(said['pageDir']);
  expect(existsSync(join(pageDir, 'index.html'))).toBe(true);
  expect(await textsWith(pageDir, '/tests/toast-test')).not.toEqual([]);
  expect(await textsWith(pageDir, '/tests/tokens'), 'The page of tokens is for development').toEqual([]);
  expect((await readdir(outDir)).filter((name) => name.startsWith('.'))).toEqual([]);
});

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s during the build ends the build too, and leaves nothing of it', async (signal, code) => {
  const outDir = join(folder, signal);
  const { child, output } = ensure(outDir);
  const children = () => childrenOf(child.pid ?? 0);
  await expect.poll(children, { timeout: 60_000 }).toHaveLength(1);
  const [builder] = await children();
  child.kill(signal);
  expect(await once(child, 'close')).toEqual([code, null]);
  expect(isRunning(builder ?? 0)).toBe(false);
  expect(output()).toContain('The build of the page was stopped.');
  expect(await readdir(outDir)).toEqual([]);
});

test('a build ends with the server that wanted it, however that ended', async () => {
  const { child } = ensure(join(folder, 'killed'));
  await expect.poll(() => childrenOf(child.pid ?? 0), { timeout: 60_000 }).toHaveLength(1);
  const [builder] = await childrenOf(child.pid ?? 0);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await expect.poll(() => isRunning(builder ?? 0), { timeout: 60_000 }).toBe(false);
});

test("a build that fails is a sentence with the bundler's own reason", async () => {
  const root = join(folder, 'broken');
  await mkdir(root);
  await writeFile(join(root, 'index.html'), '<script type="module" src="./missing.ts"></script>');
  await expect(buildInChild(root, join(folder, 'broken-out'))).rejects.toThrow(
    /^The page could not be built: [\s\S]*missing\.ts/,
  );
});

/** The scripts below a folder that have a text in them. */
async function textsWith(directory: string, text: string): Promise<readonly string[]> {
  const names = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return names.filter((_name, index) => texts[index]?.includes(text));
}

async function childrenOf(pid: number): Promise<number[]> {
  const ps = spawn('ps', ['-o', 'pid=', '--ppid', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] });
  const text = (await ps.stdout.toArray()).join('');
  return text
    .split('\n')
    .map(Number)
    .filter((child) => child > 0);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
