import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { startLife } from '../../src/playground/life/life.ts';
import { create, resourceAt } from '../../src/playground/life/write.ts';
import { deleteObject } from '../../src/playground/objects/deletion.ts';
import { createNode } from '../../src/playground/seeds/nodes.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { at, type Obj, type Rec, str } from '../../src/playground/kit/values.ts';
import { json, send } from './client.ts';
import { open } from './exec-client.ts';

const clock = new ManualClock(Date.parse('2026-03-01T08:00:00Z'));
let playground: Playground;
let life: ReturnType<typeof startLife>;
const folder = '/var/run/secrets/kubernetes.io/serviceaccount';

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none', controllers: true, clock });
  const { world } = playground;
  createNode(world, { name: 'node-1', zone: 'east-1a', cpu: 4, memory: 8 }, 0);
  life = startLife(world);
  clock.advance(1_000);
  create(world, '/pods', 'default', {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: {
      containers: [
        { name: 'main', image: 'debian:13', volumeMounts: [{ name: 'info', mountPath: '/info' }] },
      ],
      volumes: [
        {
          name: 'info',
          projected: {
            sources: [
              { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
              { serviceAccountToken: { path: 'vault', audience: 'vault', expirationSeconds: 600 } },
            ],
          },
        },
      ],
    },
  });
  clock.advance(60_000);
});
afterAll(async () => {
  life.stop();
  await playground.close();
});

async function read(file: string): Promise<string> {
  const command = `command=cat&command=${encodeURIComponent(file)}`;
  const shell = await open(
    playground,
    `/api/v1/namespaces/default/pods/web/exec?container=main&stdout=true&stderr=true&${command}`,
  );
  await shell.ended;
  return shell.text(1);
}
const claimsOf = (token: string): Rec =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Rec;

test('a pod finds its token, its namespace and the certificate authority where client libraries look', async () => {
  expect(await read(`${folder}/namespace`)).toBe('default');
  expect(await read(`${folder}/ca.crt`)).toBe(playground.authority);
  const config = await json<Obj>(playground, 'GET', '/api/v1/namespaces/default/configmaps/kube-root-ca.crt');
  expect(at(config, 'data', 'ca.crt')).toBe(playground.authority);
  const token = await read(`${folder}/token`);
  expect(claimsOf(token)).toMatchObject({
    sub: 'system:serviceaccount:default:default',
    'kubernetes.io': { namespace: 'default', pod: { name: 'web' }, node: { name: 'node-1' } },
  });
  const review = await send(playground, {
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    token,
  });
  expect(review.status).toBe(201);
  expect(JSON.parse(review.text)).toMatchObject({
    status: {
      userInfo: {
        username: 'system:serviceaccount:default:default',
        extra: { 'authentication.kubernetes.io/pod-name': ['web'] },
      },
    },
  });
});

test('other volumes contain what their sources specify: labels, and tokens for other audiences', async () => {
  expect(await read('/info/labels')).toMatch(/^app="web"\n/);
  const token = await read('/info/vault');
  const path = '/version';
  expect((await send(playground, { method: 'GET', path, token })).status).toBe(401);
  const spec = { token, audiences: ['vault', 'other'] };
  const review = await json<Obj>(playground, 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec });
  expect(review['status']).toMatchObject({ authenticated: true, audiences: ['vault'] });
});

test('a token expires with its time, its bound pod and its account; a modified one is never valid', async () => {
  const request = (body: Rec) =>
    json<Obj>(playground, 'POST', '/api/v1/namespaces/default/serviceaccounts/robot/token', body);
  const status = async (token: string) =>
    (await send(playground, { method: 'GET', path: '/version', token })).status;
  const { world } = playground;
  const accounts = resourceAt(world, '/serviceaccounts');
  create(world, '/serviceaccounts', 'default', { metadata: { name: 'robot' } });
  create(world, '/pods', 'default', {
    metadata: { name: 'arm' },
    spec: { serviceAccountName: 'robot', containers: [{ name: 'main', image: 'debian:13' }] },
  });
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'arm' };
  const free = str(at(await request({ spec: {} }), 'status', 'token'));
  const bound = str(at(await request({ spec: { boundObjectRef } }), 'status', 'token'));
  const short = str(at(await request({ spec: { expirationSeconds: 600 } }), 'status', 'token'));
  expect(await Promise.all([free, bound, short].map(status))).toEqual([200, 200, 200]);
  const forged = { ...claimsOf(free), sub: 'system:serviceaccount:kube-system:default' };
  const [head = '', , signature = ''] = free.split('.');
  const middle = Buffer.from(JSON.stringify(forged)).toString('base64url');
  expect(await status(`${head}.${middle}.${signature}`)).toBe(401);
  expect(await status(`${head}.${middle}.`)).toBe(401);
  deleteObject(world, resourceAt(world, '/pods'), 'default', 'arm', { gracePeriodSeconds: 0 });
  clock.advance(601_000);
  expect(await Promise.all([free, bound, short].map(status))).toEqual([200, 401, 401]);
  deleteObject(world, accounts, 'default', 'robot', {});
  create(world, '/serviceaccounts', 'default', { metadata: { name: 'robot' } });
  expect(await status(free)).toBe(401);
  expect(await request({ spec: { boundObjectRef: { ...boundObjectRef, name: 'leg' } } })).toMatchObject({
    code: 404,
    message: 'pods "leg" not found',
  });
});
