import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import { liveClose } from '../../../src/contract/live-socket.ts';
import type { LogLine, LogMessage, logRequest } from '../../../src/contract/log.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { rightsInterval } from '../../../src/server/access/open-rights.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { teams } from '../../../src/server/store/schema/teams.ts';
import type { TestConsole, TestPerson } from '../harness.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { sendNotice } from '../notice.ts';

let playground: PlaygroundConsole;
let console: TestConsole;
let companyId: number;
let owner: TestPerson;
let clusterId: number;
let pod: { namespace: string; name: string };
/** Another, whose log nobody reads but the test that counts who does. */
let quietPod: { namespace: string; name: string };

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

type Asked = z.input<typeof logRequest>;

const onePod = (at: { namespace: string; name: string } = pod): Asked['of'] => ({
  pods: [{ namespace: at.namespace, name: at.name }],
});

function read(
  person: TestPerson,
  asked: Partial<Asked> | string = {},
  headers: Record<string, string> = {},
): OpenLog {
  const path = `/api/clusters/${clusterId}/log`;
  const socket = new WebSocket(`${console.url.replace('http', 'ws')}${path}`, {
    headers: { origin: console.url, cookie: person.client.cookie, ...headers },
  });
  socket.on('open', () => {
    const request = {
      of: onePod(),
      container: 'app',
      follow: false,
      ...(typeof asked === 'string' ? {} : asked),
    };
    socket.send(typeof asked === 'string' ? asked : JSON.stringify(request));
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
  playground = await startPlaygroundConsole('shop');
  ({ console, companyId, owner, clusterId } = playground);
  await playground.transport.json({
    method: 'POST',
    path: '/apis/apps/v1/namespaces/shop/deployments',
    body: deploymentOf('shop', 'web', 'nginx:1.27', 2),
  });
  const running = await vi.waitUntil(
    async () => {
      type Pods = KubeObject & { items?: (KubeObject & { status?: { phase?: string } })[] };
      const list = await playground.seen<Pods>('/api/v1/namespaces/shop/pods');
      const found = list?.items?.filter(({ status }) => status?.phase === 'Running') ?? [];
      return found.length === 2 ? found : undefined;
    },
    { timeout: 60_000 },
  );
  const [one, another] = running.map(({ metadata }) => ({ namespace: 'shop', name: metadata?.name ?? '' }));
  if (one === undefined || another === undefined) throw new Error('Two pods should run.');
  pod = one;
  quietPod = another;
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await console.close();
});

describe('the log of a pod', () => {
  test('comes line by line with its times, and ends in words', async () => {
    const log = read(owner, { tailLines: 5 });
    await expect.poll(() => log.end()).toBeDefined();
    expect(log.lines().length).toBeGreaterThan(0);
    expect(log.messages[0]).toEqual({
      type: 'source',
      source: { id: 0, namespace: 'shop', pod: pod.name, container: 'app' },
    });
    for (const [time, , source] of log.lines()) {
      expect(Date.parse(time)).toBeGreaterThan(0);
      expect(source).toBe(0);
    }
    expect(log.end()).toEqual({ type: 'ended', reason: 'ended', title: 'End of the log.' });
    await expect.poll(() => log.closed).toBe(1000);
  });

  test('is followed, and a page that comes back gets what it lacks and nothing twice', async () => {
    const whole = read(owner, { follow: true, tailLines: 20 });
    await expect.poll(() => whole.lines().length, { timeout: 60_000 }).toBeGreaterThan(3);
    const known = whole.lines().slice(0, 3);
    const [after] = known.at(-1) ?? [''];
    const skip = known.filter(([time]) => time === after).length;
    const resume = { [`shop/${pod.name}/app`]: { after, skip } };
    const again = read(owner, { follow: true, resume });
    const rest = () => whole.lines().slice(3);
    await expect.poll(() => again.lines().length).toBeGreaterThan(0);
    await expect.poll(() => rest().length).toBeGreaterThanOrEqual(again.lines().length);
    expect(rest().slice(0, again.lines().length)).toEqual(again.lines());
  });

  test('ends in words when there is no such pod, container or earlier run', async () => {
    const logs = [
      read(owner, { of: onePod({ ...pod, name: 'nobody' }) }),
      read(owner, { container: 'nothing' }),
      read(owner, { previous: true }),
      read(owner, { of: onePod({ ...pod, name: 'nobody' }), follow: true }),
      read(owner, { of: { kind: 'namespace', namespace: 'shop', name: 'shop' } }),
      read(owner, { of: { kind: 'deployment', namespace: 'shop', name: 'nobody' }, follow: true }),
    ];
    await expect.poll(() => logs.every((log) => log.end() !== undefined)).toBe(true);
    expect(logs.map((log) => log.end()?.reason)).toEqual([
      'gone',
      'wrong',
      'no-previous',
      'gone',
      'wrong',
      'gone',
    ]);
  });

  test('is refused before the upgrade without session, grant or origin; what is no request ends it', async () => {
    const stranger = await console.person({ companyId });
    const logs = [
      read(stranger),
      read(owner, {}, { origin: 'https://evil.example' }),
      read(owner, {}, { cookie: '' }),
    ];
    await expect.poll(() => logs.every((log) => log.refused !== undefined)).toBe(true);
    expect(logs.map((log) => log.refused?.status)).toEqual([404, 403, 401]);
    const odd = [read(owner, 'hello'), read(owner, { tailLines: -1 }), read(owner, '{"of":{},"unknown":1}')];
    await expect.poll(() => odd.map((log) => log.end()?.reason)).toEqual(['wrong', 'wrong', 'wrong']);
    const plain = await owner.client.send('GET', `/api/clusters/${clusterId}/log`);
    expect(plain.status).toBe(426);
  });

  test('can be saved as a file by people who may read it', async () => {
    const address = (asked: unknown) =>
      `/api/clusters/${clusterId}/log/file?request=${encodeURIComponent(JSON.stringify(asked))}`;
    const file = await owner.client.send('GET', address({ of: onePod(), container: 'app' }));
    expect(file.status).toBe(200);
    // Without a name: the page gives the file one, which a name from here would override.
    expect(file.headers['content-disposition']).toBe('attachment');
    expect(file.headers['content-type']).toMatch(/^text\/plain/);
    const log = read(owner, { tailLines: 3 });
    await expect.poll(() => log.end()).toBeDefined();
    // Only the words: colours are in the file as they were written.
    const [first] = log.lines();
    expect(file.text).toContain((first?.[1] ?? '').slice(0, 20));
    const stranger = await console.person({ companyId });
    expect((await stranger.client.send('GET', address({ of: onePod() }))).status).toBe(404);
    expect((await owner.client.send('GET', address({ of: onePod(), follow: true }))).status).toBe(400);
    expect((await owner.client.send('GET', address({ of: onePod({ ...pod, name: 'nobody' }) }))).status).toBe(
      404,
    );
    expect((await owner.client.send('GET', address('x'))).status).toBe(400);
  });
});

describe('the logs of a workload', () => {
  test('are merged by time, and go on with the pods that take over', async () => {
    const api = (path: string) => `/apis/apps/v1/namespaces/shop/deployments${path}`;
    const of = { kind: 'deployment', namespace: 'shop', name: 'api' };
    await playground.transport.json({
      method: 'POST',
      path: api(''),
      body: deploymentOf('shop', 'api', 'nginx:1.27', 1),
    });
    const log = read(owner, { of, container: '*', follow: true, tailLines: 10 });
    await expect.poll(() => log.lines().length, { timeout: 60_000 }).toBeGreaterThan(0);
    await playground.transport.json({
      method: 'PATCH',
      path: api('/api'),
      contentType: 'application/strategic-merge-patch+json',
      body: { spec: { template: { metadata: { annotations: { rollout: 'again' } } } } },
    });
    const pods = () =>
      new Set(log.messages.flatMap((message) => (message.type === 'source' ? message.source.pod : [])));
    await expect.poll(() => pods().size, { timeout: 30_000 }).toBeGreaterThan(1);
    const marks = () =>
      log
        .lines()
        .filter(([, , , mark]) => mark !== undefined)
        .map(([, text]) => text);
    await expect.poll(() => marks().some((text) => text.includes('is new')), { timeout: 60_000 }).toBe(true);
    await expect
      .poll(() => marks().some((text) => / ended |was not found|is gone/.test(text)), { timeout: 40_000 })
      .toBe(true);
    const newest = Math.max(...log.lines().map(([, , source]) => source));
    await expect
      .poll(() => log.lines().some(([, , source, mark]) => source === newest && mark === undefined), {
        timeout: 60_000,
      })
      .toBe(true);
    expect(log.end()).toBeUndefined();
  });

  test('need the grant to see the workload as well', async () => {
    const viewer = await console.person({ companyId });
    await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    const log = read(viewer, { of: { kind: 'secret', namespace: 'shop', name: 'x' } });
    await expect.poll(() => log.end()?.reason).toBe('denied');
  });
});

describe('an open log', () => {
  test('is one request to the cluster for ten people, each with a grant of their own', async () => {
    const opened = vi.spyOn(await console.services.clusters.transport(clusterId), 'stream');
    const asked = () =>
      opened.mock.calls.filter(([{ path }]) => path === `/api/v1/namespaces/shop/pods/${quietPod.name}/log`);
    const viewers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const viewer = await console.person({ companyId });
        return {
          viewer,
          teamId: await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer),
        };
      }),
    );
    const [first, ...others] = viewers;
    if (first === undefined) throw new Error('Nobody looks.');
    const following = { of: onePod(quietPod), follow: true, tailLines: 20 };
    const opening = read(first.viewer, following);
    await expect.poll(() => opening.lines().length, { timeout: 60_000 }).toBeGreaterThan(0);
    const logs = [opening, ...others.map(({ viewer }) => read(viewer, following))];
    await expect.poll(() => logs.every((log) => log.lines().length > 0), { timeout: 60_000 }).toBe(true);
    expect(asked()).toHaveLength(1);
    // Whoever opened it may see it no longer: it ends for them, and goes on for the others.
    await console.store.db.delete(teams).where(eq(teams.id, first.teamId));
    await sendNotice(console.store, 'grants', { companyId });
    await expect.poll(() => opening.end()?.reason).toBe('denied');
    const before = logs.map((log) => log.lines().length);
    await expect
      .poll(() => logs.every((log, at) => at === 0 || log.lines().length > (before[at] ?? 0)), {
        timeout: 60_000,
      })
      .toBe(true);
    expect(opening.lines()).toHaveLength(before[0] ?? 0);
    expect(asked()).toHaveLength(1);
    expect(asked()[0]?.[0].signal?.aborted).toBe(false);
    // And with the last of them it ends at the cluster.
    for (const { socket } of logs) socket.close();
    await expect.poll(() => asked()[0]?.[0].signal?.aborted).toBe(true);
    opened.mockRestore();
  });

  test('ends at once with the grant of its person, and with their session', async () => {
    const viewer = await console.person({ companyId });
    const teamId = await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    const leaving = await console.person({ companyId, isOwner: true });
    const [granted, signedIn] = [
      read(viewer, { follow: true, tailLines: 1 }),
      read(leaving, { follow: true, tailLines: 1 }),
    ];
    await expect
      .poll(() => granted.messages.length > 0 && signedIn.messages.length > 0, { timeout: 60_000 })
      .toBe(true);
    await console.store.db.delete(teams).where(eq(teams.id, teamId));
    await sendNotice(console.store, 'grants', { companyId });
    await expect
      .poll(() => granted.end())
      .toEqual({ type: 'ended', reason: 'denied', title: 'There is no such cluster.' });
    const count = granted.lines().length;
    await expect.poll(() => granted.closed).toBe(1000);
    expect(granted.lines()).toHaveLength(count);
    await leaving.client.send('GET', '/api/auth/logout');
    await expect.poll(() => signedIn.closed).toBe(liveClose.signedOut);
  });

  test('ends within seconds with grant and session although the notice of it was lost', async () => {
    const viewer = await console.person({ companyId });
    const teamId = await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    const leaving = await console.person({ companyId, isOwner: true });
    const logs = [viewer, leaving, owner].map((person) => read(person, { follow: true, tailLines: 1 }));
    const [granted, signedIn, other] = logs;
    await expect.poll(() => logs.every((log) => log.messages.length > 0), { timeout: 60_000 }).toBe(true);
    const { db } = console.store;
    await db.delete(teams).where(eq(teams.id, teamId));
    await db.delete(sessions).where(eq(sessions.userId, leaving.id));
    const soon = { timeout: 3 * rightsInterval };
    await expect.poll(() => granted?.end()?.title, soon).toBe('There is no such cluster.');
    await expect.poll(() => signedIn?.closed, soon).toBe(liveClose.signedOut);
    expect([other?.end(), other?.closed]).toEqual([undefined, undefined]);
  });

  test('does not hold the server up when it goes down', async () => {
    const log = read(owner, { follow: true, tailLines: 1 });
    await expect.poll(() => log.messages.length).toBeGreaterThan(0);
    await console.app.close();
    await expect.poll(() => log.closed).toBe(liveClose.restart);
  });
});
