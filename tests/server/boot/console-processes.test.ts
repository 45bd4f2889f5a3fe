import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ConsoleOptions, openConsole, type OpenConsole } from '../../../src/server/boot/console.ts';
import { startPlaygroundProcess } from '../../../src/server/boot/playground-process.ts';
import { type Config, readConfig } from '../../../src/server/kit/config.ts';
import { createLog } from '../../../src/server/kit/log.ts';
import { isAlive } from '../../../src/server/store/embedded/processes.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { freshDatabase } from '../postgres.ts';
import { untilReady } from '../until-ready.ts';

const log = createLog({ logLevel: 'silent' });

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  const store = await openStore({ databaseUrl: database.url, dataDir: '' });
  await store.db.insert(companies).values({ name: 'Example' });
  await store.close();
});
afterAll(() => database.drop());

/** A console on a free port over this file's database. */
function open(config: Partial<Config> = {}, options: Partial<ConsoleOptions> = {}): Promise<OpenConsole> {
  const secretKey = `k1:${Buffer.alloc(32).toString('base64')}`;
  const read = readConfig({ PORT: '0', DATABASE_URL: database.url, WHEELHOUSE_SECRET_KEY: secretKey });
  if (read.config === null) throw new Error(read.problems.join('\n'));
  return openConsole(
    { ...read.config, ...config },
    { build: 'test', pageDir: null, log, overloadedAt: 0, ...options },
  );
}

const get = (url: string): Promise<number> => fetch(url).then(({ status }) => status);

test('in development the page comes from its sources, behind the same port as the API', async () => {
  const opened = await open({}, { isDevelopment: true });
  const page = await fetch(opened.address, { headers: { accept: 'text/html' } }).then((r) => r.text());
  expect(page).toContain('/@vite/client');
  expect(page).toContain('name="wheelhouse-build"');
  expect(await get(`${opened.address}/clusters/1/pods`)).toBe(200);
  expect(await get(`${opened.address}/api/auth/is-authenticated`)).toBe(200);
  expect(await get(`${opened.address}/api/nothing`)).toBe(404);
  const socket = new WebSocket(`${opened.address.replace('http', 'ws')}/api/live`, {
    origin: opened.address,
  });
  const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  expect(answer.statusCode).toBe(401);
  socket.on('error', () => undefined);
  socket.terminate();
  await opened.close();
});

describe('the playground', () => {
  const playgroundArguments = ['--seed', 'none'];

  test('has a cluster of the first company while it runs, and none where it is off', async () => {
    const on = await open({ playground: true }, { playgroundArguments });
    const [row] = await on.store.db.select().from(clusters);
    expect(row).toMatchObject({ name: 'playground', source: 'playground' });
    // A busy machine takes seconds to start it.
    const probed = () => on.services.clusters.probe(row?.id ?? 0);
    await expect.poll(probed).toMatchObject({ status: 'reachable' });
    const pid = on.playgroundPid() ?? 0;
    expect(isAlive(pid)).toBe(true);
    await on.close();
    expect(isAlive(pid)).toBe(false);

    const off = await open();
    expect(await off.store.db.select().from(clusters)).toEqual([]);
    await off.close();
    const again = await open({ playground: true }, { playgroundArguments });
    expect(await again.store.db.select().from(clusters)).toHaveLength(1);
    await again.close();
  });

  test('is started again when it dies, and says so', async () => {
    const playground = startPlaygroundProcess(log, playgroundArguments);
    await untilReady(playground);
    const before = await playground.target();
    const restarted = new Promise<void>((resolve) => playground.onRestart(resolve));
    const pid = playground.pid() ?? 0;
    process.kill(pid, 'SIGKILL');
    await restarted;
    const after = await playground.target();
    expect(after.token).not.toBe(before.token);
    expect(playground.pid()).not.toBe(pid);
    await playground.close();
    expect(playground.pid()).toBeUndefined();
  });

  test('offers staging beside the company, in the same process, which starts it when it is first used', async () => {
    const on = await open({ playground: true });
    const rows = await on.store.db.select().from(clusters).orderBy(clusters.id);
    expect(rows.map(({ name, source }) => [name, source])).toEqual([
      ['playground', 'playground'],
      ['playground-staging', 'playground'],
    ]);
    const nodes = async (id: number | undefined) => {
      const transport = await on.services.clusters.transport(id ?? 0);
      const { items } = await transport.json<{ items: { metadata: { name: string } }[] }>({
        method: 'GET',
        path: '/api/v1/nodes',
      });
      return items.map(({ metadata }) => metadata.name);
    };
    const pid = on.playgroundPid();
    // A call waits for a playground for a while only: on a busy machine it is asked again, as a page does.
    await expect.poll(() => nodes(rows[0]?.id).catch(() => []), { timeout: 60_000 }).toHaveLength(6);
    const asked = () => nodes(rows[1]?.id).catch(() => undefined);
    await expect
      .poll(() => Promise.all([asked(), asked()]), { timeout: 60_000 })
      .toEqual([
        ['staging-control-1', 'staging-worker-1', 'staging-worker-2'],
        ['staging-control-1', 'staging-worker-1', 'staging-worker-2'],
      ]);
    expect(on.playgroundPid()).toBe(pid);
    // It comes back with the process it lives in, when it is used again.
    process.kill(pid ?? 0, 'SIGKILL');
    await expect.poll(() => nodes(rows[1]?.id).catch(() => []), { timeout: 60_000 }).toHaveLength(3);
    await on.close();
  });

  test('that is closed at once never comes up', async () => {
    const playground = startPlaygroundProcess(log, playgroundArguments);
    const target = playground.target();
    await playground.close();
    await expect(target).rejects.toMatchObject({ status: 503 });
    expect(playground.pid()).toBeUndefined();
  });

  test('that cannot start is a failure to try again, and closing ends the attempts', async () => {
    const playground = startPlaygroundProcess(log, ['--seed', 'nonsense']);
    await expect(playground.target()).rejects.toMatchObject({ status: 503, retryable: true });
    await playground.close();
  });
});
