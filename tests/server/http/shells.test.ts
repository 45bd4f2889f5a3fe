import { and, desc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { liveClose } from '../../../src/contract/live-socket.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { ShellMessage } from '../../../src/contract/shell.ts';
import type { Pod } from '../../../src/kube/core.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { rightsInterval } from '../../../src/server/access/open-rights.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { teamClusters, teams } from '../../../src/server/store/schema/teams.ts';
import type { TestConsole, TestPerson } from '../harness.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { sendNotice } from '../notice.ts';

let playground: PlaygroundConsole;
let console: TestConsole;
let companyId: number;
let owner: TestPerson;
let clusterId: number;

/** A terminal on a page. */
interface OpenShell {
  readonly socket: WebSocket;
  readonly messages: ShellMessage[];
  shown: string;
  closed: number | undefined;
  refused: { status: number; title: string } | undefined;
  readonly type: (text: string) => void;
  readonly started: () => string | undefined;
  readonly end: () => Extract<ShellMessage, { type: 'ended' }> | undefined;
}

const sockets: WebSocket[] = [];

function openShell(
  person: TestPerson,
  pod: string,
  query = '',
  headers: Record<string, string> = {},
): OpenShell {
  const path = `/api/clusters/${clusterId}/pods/shop/${pod}/shell`;
  const socket = new WebSocket(`${console.url.replace('http', 'ws')}${path}?${query}`, {
    headers: { origin: console.url, cookie: person.client.cookie, ...headers },
  });
  sockets.push(socket);
  const messages: ShellMessage[] = [];
  const shell: OpenShell = {
    socket,
    messages,
    shown: '',
    closed: undefined,
    refused: undefined,
    type: (text) => socket.send(Buffer.from(text)),
    started: () => messages.find((message) => message.type === 'started')?.command,
    end: () => messages.find((message) => message.type === 'ended'),
  };
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) shell.shown += data.toString('utf8');
    else messages.push(JSON.parse(data.toString('utf8')) as ShellMessage);
  });
  socket.on('close', (code) => {
    shell.closed = code;
  });
  socket.on('error', () => {});
  socket.on('unexpected-response', (_request, answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { title: string };
      shell.refused = { status: answer.statusCode ?? 0, title: body.title };
    });
  });
  return shell;
}

async function runningPod(name: string): Promise<string> {
  const running = await vi.waitUntil(
    async () => {
      const list = await playground.seen<KubeObject & { items?: Pod[] }>('/api/v1/namespaces/shop/pods');
      return list?.items?.find(
        ({ metadata, status }) =>
          metadata?.name?.startsWith(`${name}-`) === true &&
          status?.containerStatuses?.[0]?.state?.running !== undefined,
      );
    },
    { timeout: 60_000 },
  );
  return running.metadata?.name ?? '';
}

const rowsOf = async (action: string, actor: string) =>
  await console.store.db
    .select()
    .from(audit)
    .where(and(eq(audit.action, action), eq(audit.actor, actor)))
    .orderBy(desc(audit.id));

const setCluster = async (change: Partial<typeof clusters.$inferInsert>) => {
  await console.store.db.update(clusters).set(change).where(eq(clusters.id, clusterId));
  await sendNotice(console.store, 'clusters', { companyId, clusterId });
};

let web: string;
let cache: string;
let pause: string;

beforeAll(async () => {
  playground = await startPlaygroundConsole('shop');
  ({ console, companyId, owner, clusterId } = playground);
  for (const [name, image] of [
    ['web', 'nginx:1.27'],
    ['cache', 'redis:7'],
    ['pause', 'registry.k8s.io/pause:3.10'],
    ['doomed', 'nginx:1.27'],
  ] as const) {
    await playground.transport.json({
      method: 'POST',
      path: '/apis/apps/v1/namespaces/shop/deployments',
      body: deploymentOf('shop', name, image, 1),
    });
  }
  web = await runningPod('web');
  cache = await runningPod('cache');
  pause = await runningPod('pause');
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(() => console.close());

describe('a shell in a pod', () => {
  test('takes what is typed, shows what comes, and says how it ended', async () => {
    const shell = openShell(owner, web, 'container=app&columns=100&rows=30');
    await expect.poll(() => shell.started()).toBe('bash');
    shell.type('hostname\r');
    await expect.poll(() => shell.shown).toContain(`\n${web}\r\n`);
    shell.type('stty size\r');
    await expect.poll(() => shell.shown).toContain('\n30 100\r\n');
    shell.socket.send(JSON.stringify({ type: 'resize', columns: 133, rows: 41 }));
    shell.type('stty size\r');
    await expect.poll(() => shell.shown).toContain('\n41 133\r\n');
    shell.type('exit 3\r');
    await expect
      .poll(() => shell.end())
      .toEqual({ type: 'ended', reason: 'exited', title: 'The shell ended with code 3.' });
    await expect.poll(() => shell.closed).toBe(1000);
  });

  test('is bash if the image has it, else sh; an image without either gets a message', async () => {
    const shell = openShell(owner, cache);
    await expect.poll(() => shell.started()).toBe('sh');
    const none = openShell(owner, pause);
    await expect.poll(() => none.end()?.reason).toBe('no-shell');
    expect(none.started()).toBeUndefined();
  });

  test('can be attached to instead: the process of the container is shown', async () => {
    const attached = openShell(owner, web, 'mode=attach');
    await expect.poll(() => attached.shown, { timeout: 60_000 }).not.toBe('');
    expect(attached.started()).toBe('');
  });

  test('ends in words where there is no such pod or container', async () => {
    const shells = [openShell(owner, 'nobody'), openShell(owner, web, 'container=nothing')];
    await expect.poll(() => shells.every((shell) => shell.end() !== undefined)).toBe(true);
    expect(shells.map((shell) => shell.end()?.reason)).toEqual(['not-running', 'refused']);
  });

  test('is audited from start to end by names, never by what is typed or shown', async () => {
    const person = await console.person({ companyId, isOwner: true });
    const shell = openShell(person, web, 'container=app');
    await expect.poll(() => shell.started()).toBe('bash');
    const [running] = await rowsOf('pod.shell', person.email);
    expect(running).toMatchObject({
      subject: { namespace: 'shop', name: web, container: 'app' },
      clusterId,
      finishedAt: null,
      status: null,
    });
    shell.type('echo canary-7f3a\r');
    await expect.poll(() => shell.shown).toContain('\ncanary-7f3a\r\n');
    shell.socket.close();
    await expect.poll(async () => (await rowsOf('pod.shell', person.email))[0]?.status).toBe(200);
    expect(JSON.stringify([await rowsOf('pod.shell', person.email), console.log])).not.toContain('canary');
  });

  test('is refused before the upgrade: without session, grant, origin, or with parameters it does not have', async () => {
    const stranger = await console.person({ companyId });
    const viewer = await console.person({ companyId });
    await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    const shells = [
      openShell(stranger, web),
      openShell(viewer, web),
      openShell(owner, web, '', { origin: 'https://evil.example' }),
      openShell(owner, web, '', { cookie: '' }),
      openShell(owner, web, 'columns=1'),
      openShell(owner, web, 'command=id'),
    ];
    await expect.poll(() => shells.every((shell) => shell.refused !== undefined)).toBe(true);
    expect(shells.map((shell) => shell.refused?.status)).toEqual([404, 403, 403, 401, 400, 400]);
    expect(await rowsOf('pod.shell', viewer.email)).toEqual([]);
  });

  test('asks for the name of a protected cluster, and is refused where shells are off or nothing may be changed', async () => {
    await setCluster({ isProtected: true });
    const [row] = await console.store.db.select().from(clusters).where(eq(clusters.id, clusterId));
    const asked = openShell(owner, web);
    await expect
      .poll(() => asked.end()?.title)
      .toMatch(/is protected, and a shell can change anything in its container: type its name to confirm/);
    const named = openShell(owner, web, `confirm=${encodeURIComponent(row?.name ?? '')}`);
    await expect.poll(() => named.started()).toBe('bash');
    await setCluster({ isProtected: false, isShellAllowed: false });
    // The one that is open ends with the setting.
    await expect.poll(() => named.end()?.reason).toBe('denied');
    const off = openShell(owner, web);
    await expect.poll(() => off.end()?.title).toMatch(/Shells are switched off/);
    await setCluster({ isShellAllowed: true, isReadOnly: true });
    const readOnly = openShell(owner, web);
    await expect.poll(() => readOnly.end()?.title).toMatch(/is read-only in this console/);
    await setCluster({ isReadOnly: false });
  });

  test('ends at once with the grant of its person, and with their session', async () => {
    const admin = await console.person({ companyId });
    const teamId = await console.grant(companyId, admin.id, clusterId, teamRoles.TeamAdmin);
    const leaving = await console.person({ companyId, isOwner: true });
    const [granted, signedIn] = [openShell(admin, web), openShell(leaving, web)];
    await expect.poll(() => [granted.started(), signedIn.started()]).toEqual(['bash', 'bash']);
    await console.store.db.delete(teams).where(eq(teams.id, teamId));
    await sendNotice(console.store, 'grants', { companyId });
    await expect.poll(() => granted.end()?.reason).toBe('denied');
    await expect.poll(() => granted.closed).toBe(1000);
    await leaving.client.send('GET', '/api/auth/logout');
    await expect.poll(() => signedIn.closed).toBe(liveClose.signedOut);
  });

  test('ends within seconds with grant, session and setting although the notice of it was lost', async () => {
    const admin = await console.person({ companyId });
    const teamId = await console.grant(companyId, admin.id, clusterId, teamRoles.TeamAdmin);
    const leaving = await console.person({ companyId, isOwner: true });
    const shells = [openShell(admin, web), openShell(leaving, web), openShell(owner, web)];
    const [granted, signedIn, allowed] = shells;
    await expect.poll(() => shells.map((shell) => shell.started())).toEqual(['bash', 'bash', 'bash']);
    const { db } = console.store;
    await db.delete(teams).where(eq(teams.id, teamId));
    await db.delete(sessions).where(eq(sessions.userId, leaving.id));
    const soon = { timeout: 3 * rightsInterval };
    await expect.poll(() => [granted?.end()?.reason, granted?.closed], soon).toEqual(['denied', 1000]);
    await expect.poll(() => signedIn?.closed, soon).toBe(liveClose.signedOut);
    expect(allowed?.end()).toBeUndefined();
    await db.update(clusters).set({ isShellAllowed: false }).where(eq(clusters.id, clusterId));
    await expect.poll(() => allowed?.end()?.title, soon).toMatch(/Shells are switched off/);
    await setCluster({ isShellAllowed: true });
  });

  test('ends in words with its pod, with the process it is attached to, and with its cluster', async () => {
    const doomed = await runningPod('doomed');
    const [shell, attached] = [openShell(owner, doomed), openShell(owner, doomed, 'mode=attach')];
    await expect.poll(() => [shell.started(), attached.started()], { timeout: 60_000 }).toEqual(['bash', '']);
    await playground.transport.json({
      method: 'DELETE',
      path: `/api/v1/namespaces/shop/pods/${doomed}`,
      body: { gracePeriodSeconds: 1 },
    });
    await expect
      .poll(() => [shell.end()?.reason, attached.end()?.reason], { timeout: 60_000 })
      .toEqual(['exited', 'exited']);
    expect(shell.end()?.title).toMatch(/^The shell ended with code 137: it was killed, or its container/);
    expect(attached.end()?.title).toMatch(/^The process ended/);
    const left = openShell(owner, web);
    await expect.poll(() => left.started()).toBe('bash');
    // To this company the cluster is gone; teams of one company reach no cluster of another.
    const other = await console.company();
    const reached = await console.store.db
      .delete(teamClusters)
      .where(eq(teamClusters.clusterId, clusterId))
      .returning();
    await console.store.db.update(clusters).set({ companyId: other }).where(eq(clusters.id, clusterId));
    await sendNotice(console.store, 'clusters', { companyId, clusterId });
    await expect
      .poll(() => left.end())
      .toMatchObject({ reason: 'denied', title: 'There is no such cluster.' });
    await console.store.db.update(clusters).set({ companyId }).where(eq(clusters.id, clusterId));
    await console.store.db.insert(teamClusters).values(reached);
    await sendNotice(console.store, 'clusters', { companyId, clusterId });
  });

  test('is one of a bounded number', async () => {
    const person = await console.person({ companyId, isOwner: true });
    const shells = Array.from({ length: 14 }, () => openShell(person, web));
    await expect
      .poll(() => shells.filter((shell) => shell.started() !== undefined || shell.end() !== undefined).length)
      .toBe(14);
    const refused = shells.filter((shell) => shell.end() !== undefined);
    expect(refused.length).toBeGreaterThan(0);
    for (const shell of refused) expect(shell.end()?.title).toMatch(/12 terminals open already/);
  });

  test('does not hold the server up when it goes down', async () => {
    const shell = openShell(owner, web);
    await expect.poll(() => shell.started()).toBe('bash');
    await console.app.close();
    await expect.poll(() => shell.closed).toBe(liveClose.restart);
  });
});
