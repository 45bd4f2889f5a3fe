import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { liveClose } from '../../../src/contract/live-socket.ts';
import { ensurePage, hashSources } from '../../../src/server/boot/page-build.ts';
import { isAlive } from '../../../src/server/store/embedded/processes.ts';
import { freePort } from '../../e2e/product.ts';
import { TestClient } from '../http-client.ts';
import { openLive } from '../live/live-client.ts';
import { type DataFolder, dataFolder } from '../store/data-folder.ts';

/** For starts of which nothing is asked that has to do with the playground. */
const withoutPlayground = { WHEELHOUSE_PLAYGROUND: 'off' };
const script = resolve(import.meta.dirname, '../../../src/server/start.mjs');
let folder: DataFolder;
let dataDir: string;
const running = new Set<Started>();

beforeAll(async () => {
  folder = await dataFolder();
  dataDir = join(folder.path, 'data');
  await ensurePage(() => undefined);
});
afterEach(async () => {
  // What a failed test left running would bar the next one from the data folder.
  for (const started of running) {
    started.process.kill('SIGKILL');
    await started.exit();
  }
});
afterAll(() => folder.remove());

interface Started {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** Standard output and error so far. */
  output(): string;
  readonly url: string;
  /** Waits for the exit code. */
  exit(): Promise<number | null>;
}

/** Runs `npm start` without npm, until it says where it listens or ends. */
async function start(env: Record<string, string> = {}): Promise<Started> {
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], PORT: '0', WHEELHOUSE_DATA: dataDir, ...env },
  });
  let output = '';
  let url = '';
  const ended = once(child, 'close');
  await new Promise<void>((settle) => {
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      url = /Wheelhouse is at (\S+)/.exec(output)?.[1] ?? '';
      if (url !== '') settle();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('close', () => settle());
  });
  const started: Started = {
    process: child,
    output: () => output,
    url,
    exit: async () => {
      const [code] = (await ended) as [number | null];
      running.delete(started);
      return code;
    },
  };
  running.add(started);
  return started;
}

/** An operator command; returns exit code and both outputs. */
function admin(
  args: string[],
  env: Record<string, string> = {},
  input = '',
): { code: number | null; output: string } {
  const result = spawnSync(process.execPath, [script, 'admin', ...args], {
    encoding: 'utf8',
    input,
    env: { PATH: process.env['PATH'], WHEELHOUSE_DATA: dataDir, ...env },
  });
  return { code: result.status, output: result.stdout + result.stderr };
}

async function signIn(url: string, email: string, password: string): Promise<number> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  });
  return response.status;
}

/** Connects and sends the first half of a request; `finish` sends the rest and gives the answer, empty where none comes. */
async function halfSent(url: string, half: string, rest: string): Promise<{ finish(): Promise<string> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(half);
  return {
    finish: async () => {
      socket.write(rest);
      let answer = '';
      for await (const chunk of socket) {
        answer += String(chunk);
        const [, length = '', body = ''] = /content-length: (\d+)\r\n[^]*?\r\n\r\n([^]*)/i.exec(answer) ?? [];
        if (length !== '' && body.length >= Number(length)) break;
      }
      return answer;
    },
  };
}

const childrenOf = (pid: number): number[] => {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map(Number)
    .filter((child) => child > 0 && isAlive(child));
};
const postmaster = (): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);

test('a first start says where it is, gives a set-up link and what to back up; SIGTERM ends it with 0', async () => {
  const started = await start();
  expect(await fetch(`${started.url}/readyz`).then(({ status }) => status)).toBe(200);
  const page = await fetch(started.url, { headers: { accept: 'text/html' } }).then((r) => r.text());
  expect(page).toMatch(/<meta name="wheelhouse-build" content="[0-9a-f]{16}"/);
  // Requests of the page that was opened do not push the link away.
  expect(started.output()).toMatch(/\/login#setup=[\w-]{20,}\s*$/);
  const [database, children] = [postmaster(), childrenOf(started.process.pid ?? 0)];
  started.process.kill('SIGTERM');
  expect(await started.exit()).toBe(0);
  expect(started.output()).toContain(`Back up the folder ${dataDir}`);
  expect(started.output()).toContain(join(dataDir, 'secret.key'));
  expect([database, ...children].filter(isAlive)).toEqual([]);
  expect(children.length).toBeGreaterThan(0);
});

test('a later start serves the same installation; SIGINT twice at once, as Ctrl-C under npm gives it, ends it in order', async () => {
  const started = await start();
  expect(await fetch(`${started.url}/readyz`).then(({ status }) => status)).toBe(200);
  started.process.kill('SIGINT');
  started.process.kill('SIGINT');
  expect(await started.exit()).toBe(0);
});

test('bad configuration is sentences and exit 1, all at once, before anything starts', async () => {
  const started = await start({ PORT: 'x', WHEELHOUSE_DATABASE: 'y', WHEELHOUSE_URL: 'console' });
  expect(await started.exit()).toBe(1);
  const lines = started.output().trim().split('\n');
  expect(lines).toHaveLength(3);
  expect(started.output()).toContain('PORT is "x"');
  expect(started.output()).not.toMatch(/\n\s+at /);
});

test('a second server on the same data is refused, and so is an import, while an export works beside; a later second signal ends the first at once', async () => {
  const first = await start(withoutPlayground);
  const second = await start();
  expect(await second.exit()).toBe(1);
  expect(second.output()).toContain(
    `Another Wheelhouse (process ${first.process.pid}) is running on the data folder`,
  );
  const file = join(folder.path, 'beside.gz');
  expect(admin(['export', file])).toMatchObject({ code: 0, output: expect.stringContaining(file) });
  expect(admin(['import', file])).toMatchObject({
    code: 1,
    output: expect.stringContaining('Stop it first'),
  });
  expect(await fetch(`${first.url}/readyz`).then(({ status }) => status)).toBe(200);
  const database = postmaster();
  // A database that does not stop keeps the server from ending.
  process.kill(database, 'SIGSTOP');
  const code = first.exit();
  const impatient = setInterval(() => first.process.kill('SIGTERM'), 100);
  expect(await code).toBe(143);
  clearInterval(impatient);
  process.kill(database, 'SIGCONT');
});

test('a killed server leaves no playground behind, and the next one takes its database over', async () => {
  const killed = await start();
  const children = childrenOf(killed.process.pid ?? 0).filter((pid) => pid !== postmaster());
  const database = postmaster();
  killed.process.kill('SIGKILL');
  await killed.exit();
  while (children.some(isAlive)) await pause(10);
  // Nobody has an account yet: the settings make the first one, which the operator commands below work on.
  const next = await start({
    ...withoutPlayground,
    WHEELHOUSE_SETUP_EMAIL: 'ada@acme.example',
    WHEELHOUSE_SETUP_PASSWORD: 'correct horse battery',
  });
  expect(postmaster()).toBe(database);
  expect(await signIn(next.url, 'ada@acme.example', 'correct horse battery')).toBe(200);
  next.process.kill('SIGTERM');
  expect(await next.exit()).toBe(0);
  expect(isAlive(database)).toBe(false);
});

test('at SIGTERM it is unready, pages are sent elsewhere, and what comes or is under way is still answered', async () => {
  // By a port of its own choice it would not know its address once it no longer listens.
  const started = await start({ ...withoutPlayground, PORT: String(await freePort()) });
  const client = new TestClient(started.url);
  await client.call('signIn', { body: { email: 'ada@acme.example', password: 'correct horse battery' } });
  const page = await openLive(started.url, client.handshake);
  const head = (request: string, more = ''): string =>
    `${request} HTTP/1.1\r\nhost: ${new URL(started.url).host}\r\norigin: ${started.url}\r\ncookie: ${client.cookie}\r\n${more}`;
  const body = JSON.stringify({ name: 'written while it ends' });
  const xsrf = client.cookies.get(client.xsrfCookie) ?? '';
  const json = `content-type: application/json\r\nx-xsrf-token: ${xsrf}\r\ncontent-length: ${body.length}\r\n\r\n`;
  // Half sent before the signal: of one the body is missing, of the others the end of the head.
  const underWay = await halfSent(started.url, head('POST /api/team', json), body);
  const late = await halfSent(started.url, head('GET /api/team'), '\r\n');
  const probe = await halfSent(started.url, head('GET /readyz'), '\r\n');
  await client.call('teams', {});
  started.process.kill('SIGTERM');
  await page.until('the socket is closed', () => page.closed !== undefined);
  expect(page.closed?.code).toBe(liveClose.restart);
  const answers = await Promise.all([probe.finish(), late.finish(), underWay.finish()]);
  expect(answers).toEqual([
    expect.stringMatching(/^HTTP\/1.1 503 [^]*\r\nconnection: close\r\n[^]*"draining"/i),
    expect.stringMatching(/^HTTP\/1.1 200 [^]*\r\nconnection: close\r\n/i),
    expect.stringMatching(/^HTTP\/1.1 20\d /),
  ]);
  expect(await started.exit()).toBe(0);
});

describe('operator commands', () => {
  test('reset a password, export, and import into another folder', async () => {
    const reset = admin(['reset-password', 'Ada@acme.example']);
    expect(reset.code).toBe(0);
    const password = /: (\S+-\S+-\S+-\S+-\S+)$/m.exec(reset.output)?.[1] ?? '';
    const file = join(folder.path, 'export.gz');
    expect(admin(['export', file])).toMatchObject({ code: 0, output: expect.stringContaining('users 1') });

    const other = join(folder.path, 'other');
    const imported = admin(['import', file], { WHEELHOUSE_DATA: other });
    expect(imported).toMatchObject({ code: 0, output: expect.stringContaining('users 1') });
    expect(imported.output).toContain(join(other, 'secret.key'));
    const keyless = await start({ WHEELHOUSE_DATA: other });
    expect(await keyless.exit()).toBe(1);
    expect(keyless.output()).toContain('Restore it from your backup');
    const key = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim();
    const moved = await start({ ...withoutPlayground, WHEELHOUSE_DATA: other, WHEELHOUSE_SECRET_KEY: key });
    expect(await signIn(moved.url, 'ada@acme.example', 'correct horse battery')).toBe(401);
    expect(await signIn(moved.url, 'ada@acme.example', password)).toBe(200);
    moved.process.kill('SIGTERM');
    expect(await moved.exit()).toBe(0);
    expect(admin(['import', file], { WHEELHOUSE_DATA: other })).toMatchObject({
      code: 1,
      output: expect.stringContaining('This installation is in use'),
    });
  });

  test('take a password from standard input, and refuse what does not fit', () => {
    expect(admin(['reset-password', 'ada@acme.example'], {}, 'a new long password\n')).toMatchObject({
      code: 0,
      output: expect.not.stringContaining('a new long password'),
    });
    expect(admin(['reset-password', 'ada@acme.example'], {}, 'short\n').output).toContain(
      '12 to 256 characters',
    );
    expect(admin(['reset-password', 'nobody@acme.example'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('No account has'),
    });
  });

  test('explain themselves', () => {
    expect(admin([])).toMatchObject({ code: 0, output: expect.stringContaining('reset-password EMAIL') });
    expect(admin(['dance', 'x'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('no operator command'),
    });
    expect(admin(['export'])).toMatchObject({ code: 1, output: expect.stringContaining('export FILE') });
  });
});

test('an old Node is told what to do', () => {
  const old = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})`;
  const result = spawnSync(process.execPath, ['--import', `data:text/javascript,${old}`, script], {
    encoding: 'utf8',
  });
  expect(result.status).toBe(1);
  expect(result.stderr).toContain('this is Node 20.20.2. Start it through npm');
});

test('the hash of the page changes with its sources and with nothing else', async () => {
  const root = join(folder.path, 'checkout');
  await mkdir(join(root, 'src/web'), { recursive: true });
  const empty = await hashSources(root);
  await writeFile(join(root, 'src/web/main.tsx'), 'a');
  const first = await hashSources(root);
  await writeFile(join(root, 'README.md'), 'b');
  expect(await hashSources(root)).toBe(first);
  await writeFile(join(root, 'src/web/main.tsx'), 'c');
  expect(new Set([empty, first, await hashSources(root)]).size).toBe(3);
});
