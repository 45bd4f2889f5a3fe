import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { send } from './client.ts';

let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
});
afterAll(async () => {
  await playground.close();
});

const get = (path: string, token?: null) =>
  send(playground, { method: 'GET', path, ...(token === null ? { token } : {}) });

test('health endpoints answer ok, list their checks when verbose, and answer for a single check', async () => {
  for (const path of ['/healthz', '/livez', '/readyz', '/livez/ping', '/readyz/shutdown']) {
    expect(await get(path), path).toMatchObject({ status: 200, text: 'ok' });
  }
  const whole = (await get('/readyz?verbose')).text.split('\n');
  expect(whole.slice(0, 3)).toEqual(['[+]ping ok', '[+]log ok', '[+]etcd ok']);
  expect(whole.slice(-3)).toEqual(['[+]shutdown ok', 'readyz check passed', '']);
  expect((await get('/livez?verbose&exclude=etcd')).text).toContain('[+]etcd excluded: ok\n');
  expect(await get('/livez/shutdown')).toMatchObject({ status: 404, text: '404 page not found\n' });
});

test('anonymous requests may read /livez, but no single check', async () => {
  expect((await get('/livez', null)).status).toBe(200);
  expect((await get('/livez/ping', null)).status).toBe(403);
  expect((await get('/', null)).status).toBe(403);
});
