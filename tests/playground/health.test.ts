import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json, send } from './client.ts';

let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
});
afterAll(async () => {
  await playground.close();
});

const get = (path: string, token?: null) =>
  send(playground, { method: 'GET', path, ...(token === null ? { token } : {}) });

test('the server says that it is well: in one word, check by check, and one check at a time', async () => {
  for (const path of ['/healthz', '/livez', '/readyz', '/livez/ping', '/readyz/shutdown']) {
    expect(await get(path), path).toMatchObject({ status: 200, text: 'ok' });
  }
  const whole = (await get('/readyz?verbose')).text.split('\n');
  expect(whole.slice(0, 3)).toEqual(['[+]ping ok', '[+]log ok', '[+]etcd ok']);
  expect(whole.slice(-3)).toEqual(['[+]shutdown ok', 'readyz check passed', '']);
  expect((await get('/livez?verbose&exclude=etcd')).text).toContain('[+]etcd excluded: ok\n');
  expect(await get('/livez/shutdown')).toMatchObject({ status: 404, text: '404 page not found\n' });
});

test('who may read a path outside the resources depends on roles, and the root names all of them', async () => {
  expect((await get('/livez', null)).status).toBe(200);
  expect((await get('/livez/ping', null)).status).toBe(403);
  expect((await get('/', null)).status).toBe(403);
  const { paths } = await json<{ paths: string[] }>(playground, 'GET', '/');
  expect(paths).toEqual([...paths].sort());
  expect(paths).toEqual(
    expect.arrayContaining(['/api/v1', '/apis/apps', '/apis/apps/v1', '/openapi/v2', '/readyz/shutdown']),
  );
  for (const path of paths) expect((await get(path)).status, path).toBe(200);
});
