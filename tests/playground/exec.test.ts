import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { startLife } from '../../src/playground/life/life.ts';
import { behaviourNote } from '../../src/playground/kit/behaviour.ts';
import { create, put } from '../../src/playground/life/write.ts';
import { createNode } from '../../src/playground/seeds/nodes.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json, send } from './client.ts';
import { open } from './exec-client.ts';

const clock = new ManualClock(Date.parse('2026-03-01T08:00:00Z'));
let playground: Playground;
let life: ReturnType<typeof startLife>;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none', clock });
  const { world } = playground;
  createNode(world, { name: 'node-1', zone: 'east-1a', cpu: 4, memory: 8 }, 0);
  create(world, '/configmaps', 'default', {
    metadata: { name: 'settings' },
    data: { 'app.yaml': 'colour: blue\n' },
  });
  create(world, '/secrets', 'default', {
    metadata: { name: 'keys' },
    data: { token: Buffer.from('s3cret').toString('base64') },
  });
  life = startLife(world);
  const pod = (name: string, image: string, annotations: Readonly<Record<string, string>> = {}) =>
    create(world, '/pods', 'default', {
      metadata: { name, annotations },
      spec: {
        containers: [
          {
            name: 'main',
            image,
            env: [
              { name: 'GREETING', value: 'hello' },
              { name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'token' } } },
              { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            ],
            volumeMounts: [{ name: 'config', mountPath: '/etc/config' }],
          },
        ],
        volumes: [{ name: 'config', configMap: { name: 'settings' } }],
      },
    });
  pod('web', 'docker.io/library/debian:13');
  pod('bare', 'registry.k8s.io/pause:3.10');
  pod('broken', 'example/app:missing');
  pod('short', 'example/app:1');
  pod('waiting', 'example/app:1', { 'playground/behaviour': 'unschedulable' });
  clock.advance(60_000);
});
afterAll(async () => {
  life.stop();
  await playground.close();
});

const path = (pod: string, command: readonly string[], options = 'stdout=true&stderr=true') =>
  `/api/v1/namespaces/default/pods/${pod}/exec?container=main&${options}${command
    .map((word) => `&command=${encodeURIComponent(word)}`)
    .join('')}`;

/** Runs a command without a terminal to its end. */
async function run(...command: string[]) {
  const session = await open(playground, path('web', command));
  const status = await session.ended;
  return { out: session.text(1), err: session.text(2), status };
}

test('exec runs a command with the environment and files of its pod, and sends Success on the error channel', async () => {
  expect(await run('cat', '/etc/hostname')).toEqual({
    out: 'web\n',
    err: '',
    status: { metadata: {}, status: 'Success' },
  });
  expect((await run('sh', '-c', 'echo "$GREETING from $POD with $KEY"')).out).toBe(
    'hello from web with s3cret\n',
  );
  expect((await run('cat', '/etc/config/app.yaml')).out).toBe('colour: blue\n');
  expect((await run('ls', '/etc/config')).out).toBe('app.yaml\n');
  expect((await run('date', '+%F %T')).out).toBe('2026-03-01 08:01:00\n');
  expect((await run('env')).out).toContain('HOSTNAME=web\n');
  expect((await run('ps')).out).toContain('    1 root');
});

test('exec reports a non-zero exit code as a real server does', async () => {
  expect(await run('sh', '-c', 'echo no >&2; exit 3')).toEqual({
    out: '',
    err: 'no\n',
    status: {
      metadata: {},
      status: 'Failure',
      message:
        'command terminated with non-zero exit code: error executing command [sh -c echo no >&2; exit 3], exit code 3',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    },
  });
  expect((await run('sh', '-c', 'false && echo a || echo b; (exit 4)')).status.details).toEqual({
    causes: [{ reason: 'ExitCode', message: '4' }],
  });
  const unknown = await run('sh', '-c', 'nonsense; echo $?');
  expect([unknown.out, unknown.err]).toEqual(['127\n', 'sh: nonsense: not found\n']);
});

test('exec answers InternalError for a program that the image lacks, so that a client can try another shell', async () => {
  const session = await open(playground, path('bare', ['bash']));
  const status = await session.ended;
  expect(status).toMatchObject({ status: 'Failure', reason: 'InternalError', code: 500 });
  expect(status.message).toContain('exec: "bash": executable file not found in $PATH');
  const fallback = await run('sh', '-c', 'command -v zsh || exec bash -c "echo second"');
  expect(fallback.out).toBe('second\n');
});

test('a terminal prints a banner, echoes, edits lines, knows its size and ends with the exit code', async () => {
  const session = await open(playground, path('web', ['sh'], 'stdin=true&stdout=true&tty=true'));
  session.resize(132, 43);
  await expect.poll(() => session.text(1)).toContain('/ # ');
  expect(session.text(1)).toContain('small shell of the playground');
  session.type('stty sizx\u007fe\r');
  await expect.poll(() => session.text(1)).toContain('43 132\r\n');
  session.resize(80, 24);
  session.type('\u001b[A\r');
  await expect.poll(() => session.text(1)).toContain('24 80\r\n');
  session.type('cd /etc\rpwd\r');
  await expect.poll(() => session.text(1)).toContain('/etc\r\n/etc # ');
  session.type('half a line\u0003');
  await expect.poll(() => session.text(1)).toContain('^C\r\n/etc # ');
  session.type('exit 7\r');
  expect((await session.ended).details).toEqual({ causes: [{ reason: 'ExitCode', message: '7' }] });
});

test('a command that reads its input ends when the client closes the input', async () => {
  const session = await open(playground, path('web', ['cat'], 'stdin=true&stdout=true'));
  session.type('one\ntwo');
  session.endInput();
  expect((await session.ended).status).toBe('Success');
  expect(session.text(1)).toBe('one\ntwo\n');
});

test('exec accepts protocol v4, and refuses other protocols, port forwarding and requests without an upgrade', async () => {
  const session = await open(playground, path('web', ['hostname']), { protocol: 'v4.channel.k8s.io' });
  expect((await session.ended).status).toBe('Success');
  await expect(open(playground, path('web', ['ls']), { protocol: 'channel.k8s.io' })).rejects.toThrow(
    /^400 .*unable to upgrade/,
  );
  await expect(open(playground, '/api/v1/namespaces/default/pods/web/portforward?ports=80')).rejects.toThrow(
    /^400 .*Ports cannot be forwarded from the playground/,
  );
  const plain = await send(playground, { method: 'GET', path: path('web', ['ls']) });
  expect([plain.status, plain.text]).toEqual([400, expect.stringContaining('Upgrade request required')]);
});

test('exec refuses missing pods, missing containers and containers that do not run before it upgrades the connection', async () => {
  await expect(open(playground, path('broken', ['ls']))).rejects.toThrow(/^500 .*container not found/);
  await expect(open(playground, path('nobody', ['ls']))).rejects.toThrow(
    /^404 .*pods \\"nobody\\" not found/,
  );
  const other = path('web', ['ls']).replace('container=main', 'container=side');
  await expect(open(playground, other)).rejects.toThrow(/^400 .*container side is not valid for pod web/);
});

test('a SPDY request gets the error of its target first, and the error of its protocol only for a valid target', async () => {
  const spdy = async (wanted: string) => {
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
    const { status, text } = await send(playground, { method: 'POST', path: wanted, headers });
    return `${status} ${text}`;
  };
  expect(await spdy(path('web', ['ls']).replace('container=main', 'container=side'))).toMatch(
    /^400 .*container side is not valid for pod web/,
  );
  expect(await spdy(path('broken', ['ls']))).toMatch(/^500 .*container not found/);
  expect(await spdy(path('waiting', ['ls']))).toMatch(/^400 .*pod waiting does not have a host assigned/);
  expect(await spdy(path('web', ['ls']))).toMatch(/^400 .*over WebSocket .*not SPDY\/3\.1/);
});

test('an upgrade needs the verb create on pods/exec, as since Kubernetes 1.35', async () => {
  const token = async (name: string, verbs: string[]) => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    await json(playground, 'POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name } });
    await json(playground, 'POST', `${rbac}/roles`, {
      metadata: { name },
      rules: [{ apiGroups: [''], resources: ['pods/exec'], verbs }],
    });
    await json(playground, 'POST', `${rbac}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
    });
    const made = await json<{ status: { token: string } }>(
      playground,
      'POST',
      `/api/v1/namespaces/default/serviceaccounts/${name}/token`,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    );
    return made.status.token;
  };
  const reader = await token('reader', ['get']);
  await expect(open(playground, path('web', ['ls']), { token: reader })).rejects.toThrow(
    /^403 .*cannot create resource \\"pods\/exec\\"/,
  );
  const session = await open(playground, path('web', ['ls']), {
    token: await token('maker', ['get', 'create']),
  });
  expect((await session.ended).status).toBe('Success');
});

test('a session ends when its pod is deleted, and attach follows the output of the container', async () => {
  const session = await open(playground, path('short', ['sh'], 'stdin=true&stdout=true&tty=true'));
  const attached = await open(
    playground,
    '/api/v1/namespaces/default/pods/short/attach?container=main&stdout=true&stderr=true',
  );
  clock.advance(30_000);
  await expect.poll(() => attached.text(1).split('\n').length).toBeGreaterThan(3);
  await json(playground, 'DELETE', '/api/v1/namespaces/default/pods/short');
  clock.advance(60_000);
  expect((await session.ended).details).toEqual({ causes: [{ reason: 'ExitCode', message: '137' }] });
  expect((await attached.ended).status).toBe('Success');
});

test('when the kubelet of a node stops answering, open sessions end and new ones are refused', async () => {
  const { world } = playground;
  const ask = (word: string) => {
    const node = world.store.get('/nodes', 'node-1');
    if (node === undefined) throw new Error('there is no node-1');
    put(world, '/nodes', { ...node, metadata: { ...node.metadata, annotations: { [behaviourNote]: word } } });
  };
  const stood = await open(playground, path('web', ['sh'], 'stdin=true&stdout=true&tty=true'));
  ask('silent');
  expect((await stood.ended).status).toBe('Success');
  const refused = 'dial tcp 10.20.0.10:10250: connect: connection refused';
  const v5 = await open(playground, path('web', ['ls', '-l /'], 'stdin=true&stdout=true'));
  const asked = 'exec/default/web/main?command=ls&command=-l+%2F&input=1&output=1';
  expect(await v5.ended).toMatchObject({
    status: 'Failure',
    reason: 'InternalError',
    message: `Internal error occurred: error sending request: Post "https://10.20.0.10:10250/${asked}": ${refused}`,
    code: 500,
  });
  const attach = '/api/v1/namespaces/default/pods/web/attach?container=main&stdout=true';
  expect((await (await open(playground, attach)).ended).message).toContain(
    `10250/attach/default/web/main?output=1": ${refused}`,
  );
  await expect(open(playground, path('web', ['ls']), { protocol: 'v4.channel.k8s.io' })).rejects.toThrow(
    `"message":"error dialing backend: ${refused}","code":500`,
  );
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
  const spdy = await send(playground, { method: 'POST', path: path('web', ['ls']), headers });
  expect([spdy.status, spdy.text]).toEqual([
    500,
    expect.stringContaining(`error dialing backend: ${refused}`),
  ]);
  ask('');
  expect((await run('hostname')).out).toBe('web\n');
});
