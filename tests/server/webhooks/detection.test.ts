import { and, eq, sql } from 'drizzle-orm';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { patchTypes } from '../../../src/kube/change.ts';
import type { AttentionLine } from '../../../src/contract/dashboard.ts';
import { kindById } from '../../../commands/kinds/index.ts';
import { labelIn } from '../../../src/registry/custom-status/statements.ts';
import { createGrants } from '../../../src/server/access/grants.ts';
import { createApp } from '../../../src/server/boot/app.ts';
import { stateOf } from '../../../src/server/detection/troubles.ts';
import { TroubleWatch } from '../../../src/server/detection/trouble-watch.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import type { BoardSink } from '../../../src/server/live/dashboard/board.ts';
import type { KindStanding } from '../../../src/server/live/dashboard/kind-standing.ts';
import { StoredQueue } from '../../../src/server/queue/queue.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { incidents, webhookDeliveries } from '../../../src/server/store/schema/webhooks.ts';
import { type Happening, Happenings } from '../../../src/server/webhooks/happenings.ts';
import { follows } from '../../../src/server/store/schema/notifications.ts';
import type { TestPerson } from '../harness.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
let playground: PlaygroundConsole;
let second: ReturnType<typeof createApp> | undefined;

beforeAll(async () => {
  receiver = await startReceiver();
  playground = await startPlaygroundConsole('shop', {
    webhooks: { allowPorts: [receiver.port], allowCidrs: ['127.0.0.1/32'] },
  });
  second = createApp(playground.console.services);
  await second.ready();
});
afterAll(async () => {
  await second?.close();
  await playground.console.close();
  await receiver.close();
});

const setImage = (image: string) =>
  playground.transport.json({
    method: 'PATCH',
    path: '/apis/apps/v1/namespaces/shop/deployments/api',
    contentType: patchTypes.strategic,
    body: { spec: { template: { spec: { containers: [{ name: 'app', image }] } } } },
  });

/** Adds a webhook whose messages come by a path of its own. */
async function webhookOf(
  person: TestPerson,
  path: string,
  events: readonly string[],
  clusterId = playground.clusterId,
): Promise<string> {
  const { secret } = await person.client.call('addWebhook', {
    params: { clusterId },
    body: { url: `http://127.0.0.1:${receiver.port}/${path}`, events: events as never },
  });
  return secret;
}

const at = (path: string): Received[] => receiver.received.filter((one) => one.path === `/${path}`);
const typesAt = (path: string) => at(path).map(({ body }) => (JSON.parse(body) as { type: string }).type);

describe('what happens on a living cluster', () => {
  it('is told once, though two servers look: what breaks, that it recovered, and what somebody changed', async () => {
    const { console, companyId, owner, clusterId, transport } = playground;
    await transport.json({
      method: 'POST',
      path: '/apis/apps/v1/namespaces/shop/deployments',
      body: deploymentOf('shop', 'api', 'nginx:1.27', 3),
    });
    const [narrow, excluding] = [await console.person({ companyId }), await console.person({ companyId })];
    await console.grant(companyId, narrow.id, clusterId, teamRoles.Viewer, ['default']);
    await console.grant(companyId, excluding.id, clusterId, teamRoles.Viewer);
    await excluding.client.call('saveUserSettings', {
      params: { clusterId },
      body: { excludedNamespaces: ['shop'] },
    });
    const events = ['workload.trouble', 'workload.recovered', 'console.changed'];
    const secret = await webhookOf(owner, 'owner', events);
    await webhookOf(narrow, 'narrow', events);
    await webhookOf(excluding, 'excluding', events);
    await webhookOf(owner, 'rollouts', ['rollout.done', 'rollout.failed', 'helm.changed']);
    const follower = await console.person({ companyId });
    await console.grant(companyId, follower.id, clusterId, teamRoles.Viewer);
    const api = { object: { kind: 'deployment', namespace: 'shop', name: 'api' } };
    await follower.client.call('follow', { params: { clusterId }, body: api });
    for (const person of [owner, narrow, excluding])
      await person.client.call('follow', { params: { clusterId }, body: {} });

    await setImage('nginx:missing');
    await expect.poll(() => typesAt('owner'), { timeout: 40_000 }).toContain('workload.trouble');
    const waiting = await console.person({ companyId });
    await console.grant(companyId, waiting.id, clusterId, teamRoles.Viewer);
    await waiting.client.call('follow', { params: { clusterId }, body: { ...api, isUntilReady: true } });
    const overdue = await console.person({ companyId });
    await console.grant(companyId, overdue.id, clusterId, teamRoles.Viewer);
    const { id } = await overdue.client.call('follow', {
      params: { clusterId },
      body: { ...api, isUntilReady: true },
    });
    await console.store.db
      .update(follows)
      .set({ createdAt: sql`now() - interval '25 hours'` })
      .where(eq(follows.id, id));
    await console.store.channel.notify('waits', { clusterId });
    const late = async () =>
      (await overdue.client.call('notifications', {})).notifications.map(({ title }) => title);
    await expect
      .poll(late, { timeout: 60_000 })
      .toEqual(['shop/api: Not ready within a day; no longer watched']);
    await setImage('nginx:1.27');
    await expect.poll(() => typesAt('owner'), { timeout: 40_000 }).toContain('workload.recovered');
    expect(typesAt('owner')).toEqual(['workload.trouble', 'workload.recovered']);
    for (const one of at('owner')) new Verifier(secret).verify(one.body, one.headers);
    const [trouble] = at('owner');
    if (trouble === undefined) throw new Error('Nothing came.');
    expect(new Verifier(secret).verify(trouble.body, trouble.headers)).toEqual({
      type: 'workload.trouble',
      timestamp: expect.any(String),
      data: {
        title: expect.stringMatching(/^shop\/api: .*[^.]$/),
        cluster: { id: clusterId, name: expect.any(String) },
        object: { kind: 'deployment', namespace: 'shop', name: 'api' },
        state: expect.any(String),
        since: expect.any(String),
        url: expect.stringMatching(/\/clusters\/\d+\/.*api$/),
      },
    });

    await owner.client.call('runAction', {
      params: { clusterId, actionId: 'deployment.restart' },
      body: { refs: [{ kind: 'deployment', namespace: 'shop', name: 'api' }] },
    });
    await expect.poll(() => typesAt('owner'), { timeout: 60_000 }).toContain('console.changed');
    // The one that mended it, and the restart.
    await expect
      .poll(() => typesAt('rollouts'), { timeout: 40_000 })
      .toEqual(['rollout.done', 'rollout.done']);
    expect(typesAt('narrow')).toEqual([]);
    expect(typesAt('excluding')).toEqual([]);
    const notified = async ({ client }: TestPerson) =>
      (await client.call('notifications', {})).notifications.map(({ type }) => type);
    const both = ['rollout.done', 'rollout.done', 'workload.recovered', 'workload.trouble'];
    expect((await notified(follower)).toSorted()).toEqual(['console.changed', ...both]);
    // The owner changed it themselves.
    expect((await notified(owner)).toSorted()).toEqual(both);
    expect(await notified(narrow)).toEqual([]);
    expect(await notified(waiting)).toEqual(['workload.ready']);
    expect(await waiting.client.call('follows', {})).toEqual([]);
    expect(await notified(excluding)).toEqual([]);
  });
});

describe('a job that fails and a node that breaks', () => {
  it('are told as that, though pods of the job remain in trouble', async () => {
    const { owner, transport } = playground;
    await webhookOf(owner, 'ends', ['job.failed', 'node.not_ready', 'node.recovered']);
    // The first container that starts fails within seconds.
    const annotations = { 'playground/behaviour': 'exit-1:prepare' };
    const containerOf = (name: string) => ({ name, image: 'busybox:1.36' });
    await transport.json({
      method: 'POST',
      path: '/apis/batch/v1/namespaces/shop/jobs',
      body: {
        metadata: { name: 'once' },
        spec: {
          backoffLimit: 0,
          template: {
            metadata: { annotations },
            spec: {
              restartPolicy: 'Never',
              initContainers: [containerOf('prepare')],
              containers: [containerOf('app')],
            },
          },
        },
      },
    });
    const node = '/api/v1/nodes/broken';
    // Nobody has ever heard of its kubelet: it is lost at once.
    await transport.json({
      method: 'POST',
      path: '/api/v1/nodes',
      body: {
        metadata: { name: 'broken', annotations: { 'playground/behaviour': 'silent' } },
        status: { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }] },
      },
    });
    await expect
      .poll(() => typesAt('ends').toSorted(), { timeout: 60_000 })
      .toEqual(['job.failed', 'node.not_ready']);
    const object = { kind: 'job', namespace: 'shop', name: 'once' };
    expect(bodiesAt('ends').find(({ type }) => type === 'job.failed')?.data).toMatchObject({ object });
    await transport.json({
      method: 'PATCH',
      path: node,
      contentType: patchTypes.merge,
      body: { metadata: { annotations: null } },
    });
    await expect.poll(() => typesAt('ends'), { timeout: 40_000 }).toContain('node.recovered');
    expect(typesAt('ends')).toHaveLength(3);
  });
});

/** A cluster that nobody watches in earnest, an Owner and a Viewer, and what tells of it. */
async function quietCluster() {
  const { console } = playground;
  const companyId = await console.company();
  const clusterId = await console.cluster(companyId, 'quiet');
  const owner = await console.person({ companyId, isOwner: true });
  const viewer = await console.person({ companyId });
  await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
  const { store, log } = console.services;
  const queue = new StoredQueue({ store, log, clock: systemClock });
  const happenings = new Happenings({
    store,
    grants: createGrants(store),
    queue,
    origin: () => 'http://console.test',
  });
  return { companyId, clusterId, owner, viewer, store, log, happenings };
}

interface Body {
  readonly type: string;
  readonly data: { readonly title: string; readonly actor?: string; readonly state?: string };
}
const bodiesAt = (path: string) => at(path).map(({ body }) => JSON.parse(body) as Body);

describe('what the audit tells', () => {
  it('is what changed something, whoever else has entries, and only Owners hear who it was', async () => {
    const { companyId, clusterId, owner, viewer, store } = await quietCluster();
    await webhookOf(owner, 'audit-owner', ['console.changed'], clusterId);
    await webhookOf(viewer, 'audit-viewer', ['console.changed'], clusterId);
    const entry = (action: string, subject: Record<string, string | number | boolean>) => ({
      companyId,
      clusterId,
      actor: 'anna@example.com by token “deploy key”',
      action,
      subject: { namespace: 'shop', objects: 1, ...subject },
      address: '127.0.0.1',
      requestId: 'r',
      status: 200,
      finishedAt: sql`clock_timestamp()`,
    });
    await store.db
      .insert(auditRows)
      .values([
        ...Array.from({ length: 210 }, () => entry('secret.reveal', { kind: 'secret', names: 'shop/hush' })),
        entry('release.reveal', { kind: 'release', names: 'shop/r' }),
        entry('secret.compare', { kind: 'secret', names: 'shop/s' }),
        entry('pod.kill', { kind: 'pod', names: 'shop/stays', failed: 1 }),
        entry('object.edit', { kind: 'pod', name: 'tried', dryRun: true }),
        entry('resource.apply', { kind: 'Certificate', names: 'unknown' }),
        entry('resource.apply', { kind: 'Deployment', names: 'web', dryRun: false, failed: 0 }),
        entry('pod.kill', { kind: 'pod, deployment', names: 'shop/a, shop/b', objects: 2, failed: 1 }),
      ]);
    await expect.poll(() => bodiesAt('audit-owner').length, { timeout: 60_000 }).toBe(3);
    await expect.poll(() => bodiesAt('audit-viewer').length, { timeout: 60_000 }).toBe(2);
    expect(
      bodiesAt('audit-viewer')
        .map(({ data }) => data.title)
        .sort(),
    ).toEqual(['pod.kill of shop/a, shop/b; 1 of them failed', 'resource.apply of web']);
    expect(
      at('audit-viewer')
        .map(({ body }) => body)
        .join(),
    ).not.toContain('anna@');
    for (const { data } of bodiesAt('audit-owner')) {
      expect(data.actor).toBe('anna@example.com');
      expect(data.title).toMatch(/^anna@example\.com: /);
    }
    expect(
      at('audit-owner')
        .map(({ body }) => body)
        .join(),
    ).not.toContain('deploy key');
  });
});

describe('messages beyond the number of a while', () => {
  it('are counted by type in one that is sent later, and texts that the database refuses are mended', async () => {
    const { companyId, clusterId, viewer, owner, store, happenings } = await quietCluster();
    await webhookOf(viewer, 'many', ['workload.trouble', 'job.failed'], clusterId);
    await webhookOf(owner, 'asked', ['access.asked'], clusterId);
    const happening = (key: string, type: Happening['type']): Happening => ({
      key: `${clusterId}/${key}`,
      type,
      companyId,
      clusterId,
      permission: '',
      namespace: '',
      data: { title: `${key} \ud83d \0`, cluster: { id: clusterId, name: 'quiet' }, path: '/' },
    });
    for (let index = 0; index < 63; index += 1) {
      await happenings.record(happening(`trouble ${index}`, 'workload.trouble'));
      await happenings.record(happening(`ask ${index}`, 'access.asked'));
    }
    await happenings.record(happening('job', 'job.failed'));
    const { rows } = await store.db.execute(sql`
      select d.type, count(*)::int as messages from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where w.cluster_id = ${clusterId} group by d.type order by d.type`);
    expect(rows).toEqual([
      { type: 'access.asked', messages: 63 },
      { type: 'job.failed', messages: 1 },
      { type: 'webhook.summary', messages: 1 },
      { type: 'workload.trouble', messages: 60 },
    ]);
    const [summary] = await store.db
      .select({
        body: webhookDeliveries.body,
        wait: sql<number>`extract(epoch from next_at - created_at)::int`,
      })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.type, 'webhook.summary'));
    expect(JSON.parse(summary?.body ?? '')).toMatchObject({
      type: 'webhook.summary',
      data: {
        title: '3 more events are not sent one by one: 3 workload.trouble',
        counts: { 'workload.trouble': 3 },
      },
    });
    expect(summary?.wait).toBe(120);
    const [job] = await store.db
      .select({ body: webhookDeliveries.body })
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.type, 'job.failed'), sql`body like '%"job %'`));
    expect((JSON.parse(job?.body ?? '') as Body).data.title).toBe('job \ufffd \ufffd');
  });
});

describe('the trouble of a cluster', () => {
  it('is told by states alone, all of it, whatever one of them does, and recovers beside more than a dashboard lists', async () => {
    const { clusterId, viewer, store, log, happenings } = await quietCluster();
    await webhookOf(viewer, 'states', ['workload.trouble', 'workload.recovered'], clusterId);
    const [cluster] = await store.db.select().from(clusters).where(eq(clusters.id, clusterId));
    if (cluster === undefined) throw new Error('No cluster.');
    const line = (name: string): AttentionLine => ({
      key: name,
      rule: 'custom.trouble',
      tone: 'bad',
      title: 'It reports “Failed”.',
      detail: 'password=hush',
      on: { kind: 'certificates.cert-manager.io', namespace: 'shop', name },
      objects: [{ kind: 'certificates.cert-manager.io', namespace: 'shop', name }],
      count: 1,
      since: null,
      causes: [],
      action: null,
    });
    let badLines = [line('gone')];
    let standing: KindStanding = 'unknown';
    let asked = 0;
    let sink: BoardSink | undefined;
    // Each look is seconds later than the one before.
    let now = Date.now();
    const watch = new TroubleWatch({
      cluster,
      live: {
        kind: kindById,
        customKinds: { choice: { watched: [], left: [] } } as never,
        board: {
          join: (_sight, own) => {
            sink = own;
            return {
              body: undefined,
              lines: undefined,
              get badLines() {
                return badLines;
              },
              state: { status: 'live' } as never,
              retry: () => undefined,
              standingOf: () => {
                asked += 1;
                return standing;
              },
              leave: () => undefined,
            };
          },
        },
      },
      store,
      happenings: {
        record: async (happening, isFirst) => {
          if (happening.data.object?.name === 'bad') throw new Error('This one cannot be told.');
          await happenings.record(happening, isFirst);
        },
      },
      clock: { ...systemClock, now: () => (now += 6_000) },
      log,
    });
    const end = new AbortController();
    const running = watch.run(end.signal);
    const keys = async () =>
      (
        await store.db
          .select({ key: incidents.key })
          .from(incidents)
          .where(eq(incidents.clusterId, clusterId))
      ).length;
    await expect.poll(keys).toBe(1);
    badLines = [line('bad'), ...Array.from({ length: 104 }, (_, index) => line(`n${index}`))];
    const look = () => {
      sink?.dashboard();
      return bodiesAt('states').map(({ type }) => type);
    };
    await expect.poll(look, { interval: 200, timeout: 40_000 }).toContain('workload.trouble');
    // A list that is not read yet, as after another server took over, proves no recovery.
    asked = 0;
    await expect.poll(() => look() && asked, { interval: 200, timeout: 40_000 }).toBeGreaterThan(3);
    expect(look()).not.toContain('workload.recovered');
    standing = 'current';
    await expect.poll(look, { interval: 200, timeout: 40_000 }).toContain('workload.recovered');
    end.abort();
    await running;
    expect(await keys()).toBe(104);
    expect(JSON.stringify(bodiesAt('states'))).not.toContain('hush');
    expect(bodiesAt('states').some(({ data }) => data.state === 'It reports “Failed”.')).toBe(true);
    const { rows } = await store.db.execute(
      sql`select distinct permission from happenings where cluster_id = ${clusterId}`,
    );
    expect(rows).toEqual([{ permission: 'namespaces.view' }]);
  });

  it('is a closed word where a custom object reports free text, and a cut never halves a character', () => {
    expect(stateOf({ title: 'It reports “CrashLoop”.' })).toBe('It reports “CrashLoop”.');
    expect(stateOf({ title: 'It reports “a” token=hush “b”.' })).toBe('It reports “…”.');
    expect(labelIn(`${'x'.repeat(79)}😀`).isWellFormed()).toBe(true);
  });
});
