import { randomBytes } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../../../src/server/kit/config.ts';
import { readConfig } from '../../../src/server/kit/config.ts';
import { type ConsoleOptions, openConsole, type OpenConsole } from '../../../src/server/boot/console.ts';
import { createLog } from '../../../src/server/kit/log.ts';
import { links, users } from '../../../src/server/store/schema/accounts.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { clockAt } from '../clock-at.ts';
import { freshDatabase } from '../postgres.ts';

const log = createLog({ logLevel: 'silent' });
const secretKey = `k1:${randomBytes(32).toString('base64')}`;

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

/** A console on a free port over this file's database. */
function open(config: Partial<Config> = {}, options: Partial<ConsoleOptions> = {}): Promise<OpenConsole> {
  const read = readConfig({ PORT: '0', DATABASE_URL: database.url, WHEELHOUSE_SECRET_KEY: secretKey });
  if (read.config === null) throw new Error(read.problems.join('\n'));
  return openConsole(
    { ...read.config, ...config },
    { build: 'test', pageDir: null, log, overloadedAt: 0, ...options },
  );
}

const get = (url: string): Promise<number> => fetch(url).then(({ status }) => status);

describe('a store without people', () => {
  test('gets a fresh set-up link at every start, which ends those of earlier starts', async () => {
    const first = await open();
    const beside = await open();
    const firstLink = first.firstStart;
    const dates = (await first.store.db.select().from(links)).map(({ expiresAt }) => Date.parse(expiresAt));
    expect(
      dates.filter((date) => date > Date.now()),
      'servers that start together',
    ).toHaveLength(2);
    await first.store.db.update(links).set({ createdAt: new Date(Date.now() - 600_000).toISOString() });
    await Promise.all([first.close(), beside.close()]);
    const second = await open({}, { clock: clockAt(() => Date.now() + 1) });
    const isOpen = async (): Promise<number> => {
      const rows = await second.store.db.select().from(links);
      return rows.filter((row) => Date.parse(row.expiresAt) > Date.now() && row.usedAt === null).length;
    };
    expect(firstLink).toMatchObject({ kind: 'link' });
    expect(second.firstStart).toMatchObject({ kind: 'link' });
    expect(second.firstStart).not.toEqual(firstLink);
    if (second.firstStart.kind !== 'link') throw new Error('no link');
    expect(second.firstStart.url).toMatch(new RegExp(`^${second.url}/login#setup=[\\w-]{20,}$`));
    expect(await isOpen()).toBe(1);
    const token = second.firstStart.url.split('=')[1] ?? '';
    const stored = JSON.stringify(await second.store.db.select().from(links));
    expect(stored).not.toContain(token);
    await second.close();
  });

  test('gets its Owner and organisation unattended, once, and then no link', async () => {
    const setup = { email: 'ada@acme.example', password: 'correct horse battery' };
    const [one, two] = await Promise.all([open({ setup }), open({ setup })]);
    expect([one.firstStart.kind, two.firstStart.kind].sort()).toEqual(['created', 'none']);
    const people = await one.store.db.select().from(users);
    expect(people).toMatchObject([{ email: 'ada@acme.example' }]);
    expect(await one.store.db.select().from(memberships)).toMatchObject([
      { userId: people[0]?.id, orgRole: 1 },
    ]);
    expect(await one.store.db.select().from(companies)).toMatchObject([{ name: 'acme.example' }]);
    await Promise.all([one.close(), two.close()]);
    const again = await open({ setup: { email: 'eve@evil.example', password: 'correct horse battery' } });
    expect(again.firstStart).toEqual({ kind: 'none' });
    expect(await again.store.db.select().from(users)).toHaveLength(1);
    await again.close();
  });
});

test('a console answers while it runs, is unready as soon as it closes, and leaves its port', async () => {
  const opened = await open();
  expect(await get(`${opened.address}/readyz`)).toBe(200);
  const closing = opened.close();
  expect(opened.close()).toBe(closing);
  await closing;
  await expect(get(`${opened.address}/healthz`)).rejects.toThrow('fetch failed');
});

test('a port in use is a sentence, and nothing keeps running', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  await expect(open({ port })).rejects.toThrow(`Another program already listens on 127.0.0.1:${port}.`);
  other.close();
  await expect(open({ host: '192.0.2.1' })).rejects.toThrow('not an address of this machine');
});

test('the wrong key is a sentence before anything is served', async () => {
  await expect(open({ secretKey: `k1:${randomBytes(32).toString('base64')}` })).rejects.toThrow(
    'The database was encrypted with another key than the one in WHEELHOUSE_SECRET_KEY',
  );
});

test('a stored credential that is damaged keeps no console from starting', async () => {
  const before = await open();
  const [company] = await before.store.db.insert(companies).values({ name: 'sealed' }).returning();
  // Sealed for another place: it has a key that is there, and does not open.
  const kubeconfig = before.services.vault.seal('x', 'y');
  const [row] = await before.store.db
    .insert(clusters)
    .values({
      companyId: company?.id ?? 0,
      name: 'broken',
      source: 'kubeconfig',
      server: 'https://192.0.2.1',
      colour: 1,
      kubeconfig,
    })
    .returning();
  const id = row?.id ?? 0;
  await before.close();
  const warnings: string[] = [];
  const heard = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  const opened = await open({}, { log: heard });
  expect(await get(`${opened.address}/readyz`)).toBe(200);
  expect(
    warnings.filter((line) => line.includes('The stored credential of a cluster cannot be opened.')),
  ).toEqual([expect.stringContaining(`"clusterId":${id},"reason":"content"`)]);
  expect(await opened.services.clusters.probe(id)).toMatchObject({
    status: 'unreachable',
    message: expect.stringContaining('The stored credential of broken cannot be decrypted'),
  });
  await opened.store.db.delete(companies).where(eq(companies.id, company?.id ?? 0));
  await opened.close();
});

test('a call that stalls does not keep a console from closing', async () => {
  const opened = await open();
  const { port } = new URL(opened.address);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  // A body that never comes.
  socket.write(
    `POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${opened.address}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{',
  );
  const cut = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('error', () => undefined);
  // The server has the request, and goes on waiting for its body.
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 100 /);
  await opened.close();
  await cut;
});
