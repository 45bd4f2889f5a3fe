import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { liveClose } from '../../../src/contract/live.ts';
import type { LogLine, LogMessage } from '../../../src/contract/log.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { teams } from '../../../src/server/store/schema.ts';
import type { TestConsole, TestPerson } from '../harness.ts';
import { deploymentOf, startPlaygroundConsole } from '../playground-console.ts';

let console: TestConsole;
let companyId: number;
let owner: TestPerson;
let clusterId: number;
let pod: { namespace: string; name: string; container: string };

/** A log on a page. */
interface OpenLog {
  readonly socket: WebSocket;
  readonly messages: LogMessage[];
  readonly lines: () => LogLine[];
  readonly end: () => Extract<LogMessage, { type: 'ended' }> | undefined;
  closed: number | undefined;
  refused: { status: number; title: string } | undefined;
}

const sockets: WebSocket[] = [];

function read(person: TestPerson, query = '', at = pod, headers: Record<string, string> = {}): OpenLog {
  const path = `/api/clusters/${clusterId}/pods/${at.namespace}/${at.name}/log`;
  const socket = new WebSocket(`${console.url.replace('http', 'ws')}${path}?${query}`, {
    headers: { origin: console.url, cookie: person.client.cookie, ...headers },
  });
  sockets.push(socket);
  const messages: LogMessage[] = [];
  const log: OpenLog = {
    socket,
    messages,
    lines: () => messages.flatMap((message) => (message.type === 'lines' ? message.lines : [])),
    end: () => messages.find((message) => message.type === 'ended'),
    closed: undefined,
    refused: undefined,
  };
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString('utf8')) as LogMessage));
  socket.on('close', (code) => {
    log.closed = code;
  });
  socket.on('error', () => {});
  socket.on('unexpected-response', (_request, answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { title: string };
      log.refused = { status: answer.statusCode ?? 0, title: body.title };
    });
  });
  return log;
}

beforeAll(async () => {
  const playground = await startPlaygroundConsole('shop');
  ({ console, companyId, owner, clusterId } = playground);
  await playground.transport.json({
    method: 'POST',
    path: '/apis/apps/v1/namespaces/shop/deployments',
    body: deploymentOf('shop', 'web', 'nginx:1.27', 1),
  });
  const running = await vi.waitUntil(
    async () => {
      type Pods = KubeObject & { items?: (KubeObject & { status?: { phase?: string } })[] };
      const list = await playground.seen<Pods>('/api/v1/namespaces/shop/pods');
      return list?.items?.find(({ status }) => status?.phase === 'Running');
    },
    { timeout: 20_000 },
  );
  pod = { namespace: 'shop', name: running.metadata?.name ?? '', container: 'app' };
}, 60_000);
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await console.close();
});

describe('the log of a pod', () => {
  test('comes line by line with its times, and ends in words', async () => {
    const log = read(owner, 'tailLines=5');
    await expect.poll(() => log.end()).toBeDefined();
    expect(log.lines().length).toBeGreaterThan(0);
    for (const [time] of log.lines()) expect(Date.parse(time)).toBeGreaterThan(0);
    expect(log.end()).toEqual({ type: 'ended', reason: 'ended', title: 'This is all of the log.' });
    await expect.poll(() => log.closed).toBe(1000);
  });

  test('is followed, and a page that comes back gets what it lacks and nothing twice', async () => {
    const whole = read(owner, 'follow=true&tailLines=20');
    await expect.poll(() => whole.lines().length, { timeout: 20_000 }).toBeGreaterThan(3);
    const known = whole.lines().slice(0, 3);
    const [after] = known.at(-1) ?? [''];
    const skip = known.filter(([time]) => time === after).length;
    const again = read(owner, `follow=true&after=${after}&skip=${skip}`);
    const rest = () => whole.lines().slice(3);
    await expect.poll(() => again.lines().length).toBeGreaterThan(0);
    await expect.poll(() => rest().length).toBeGreaterThanOrEqual(again.lines().length);
    expect(rest().slice(0, again.lines().length)).toEqual(again.lines());
  });

  test('ends in words when there is no such pod, container or earlier run', async () => {
    const logs = [
      read(owner, '', { ...pod, name: 'nobody' }),
      read(owner, 'container=nothing'),
      read(owner, 'previous=true'),
      read(owner, 'follow=true', { ...pod, name: 'nobody' }),
    ];
    await expect.poll(() => logs.every((log) => log.end() !== undefined)).toBe(true);
    expect(logs.map((log) => log.end()?.reason)).toEqual(['gone', 'wrong', 'no-previous', 'gone']);
  });

  test('is refused before the upgrade: without session, grant, origin, or with parameters it does not have', async () => {
    const stranger = await console.person({ companyId });
    const logs = [
      read(stranger),
      read(owner, '', pod, { origin: 'https://evil.example' }),
      read(owner, '', pod, { cookie: '' }),
      read(owner, 'tailLines=-1'),
      read(owner, 'unknown=1'),
      read(owner, 'after=yesterday'),
    ];
    await expect.poll(() => logs.every((log) => log.refused !== undefined)).toBe(true);
    expect(logs.map((log) => log.refused?.status)).toEqual([404, 403, 401, 400, 400, 400]);
    const plain = await owner.client.send(
      'GET',
      `/api/clusters/${clusterId}/pods/${pod.namespace}/${pod.name}/log`,
    );
    expect(plain.status).toBe(426);
  });

  test('ends at once with the grant of its person, and with their session', async () => {
    const viewer = await console.person({ companyId });
    const teamId = await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    const leaving = await console.person({ companyId, isOwner: true });
    const [granted, signedIn] = [
      read(viewer, 'follow=true&tailLines=1'),
      read(leaving, 'follow=true&tailLines=1'),
    ];
    await expect
      .poll(() => granted.messages.length > 0 && signedIn.messages.length > 0, { timeout: 10_000 })
      .toBe(true);
    await console.store.db.delete(teams).where(eq(teams.id, teamId));
    await console.store.channel.notify('grants', { companyId });
    await expect
      .poll(() => granted.end())
      .toEqual({ type: 'ended', reason: 'denied', title: 'No such cluster.' });
    const count = granted.lines().length;
    await expect.poll(() => granted.closed).toBe(1000);
    expect(granted.lines()).toHaveLength(count);
    await leaving.client.send('GET', '/api/auth/logout');
    await expect.poll(() => signedIn.closed).toBe(liveClose.signedOut);
  });

  test('does not hold the server up when it goes down', async () => {
    const log = read(owner, 'follow=true&tailLines=1');
    await expect.poll(() => log.messages.length).toBeGreaterThan(0);
    await console.app.close();
    await expect.poll(() => log.closed).toBe(liveClose.restart);
  });
});
