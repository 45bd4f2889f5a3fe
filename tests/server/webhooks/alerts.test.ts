import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlertSettings } from '../../../src/contract/alerts.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { createGrants } from '../../../src/server/access/grants.ts';
import { ReachWatch } from '../../../src/server/detection/reach-watch.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { StoredFollowers } from '../../../src/server/notifications/followers.ts';
import { StoredQueue } from '../../../src/server/queue/queue.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { notifications } from '../../../src/server/store/schema/notifications.ts';
import { teamClusters } from '../../../src/server/store/schema/teams.ts';
import { type Happening, Happenings } from '../../../src/server/webhooks/happenings.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';

let mail: MailServer;
let console: TestConsole;

beforeAll(async () => {
  mail = await startMailServer();
  console = await startConsole({ config: { mail: mail.settings } });
});
afterAll(async () => {
  await console.close();
  await mail.close();
});

const happenings = () => {
  const { store, log } = console.services;
  return new Happenings({
    store,
    grants: createGrants(store),
    queue: new StoredQueue({ store, log, clock: systemClock }),
    origin: () => 'http://console.test',
    followers: new StoredFollowers(store, log, systemClock),
  });
};

/** A Viewer of a cluster whose address is proven, and what happens there. */
async function office() {
  const companyId = await console.company();
  const clusterId = await console.cluster(companyId, 'production');
  const viewer = await console.person({ companyId });
  const teamId = await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
  await console.store.db.update(users).set({ emailProvenAt: sql`now()` }).where(eq(users.id, viewer.id));
  const happen = async (type: Happening['type'], name = 'web', more: Partial<Happening> = {}) =>
    await happenings().record({
      key: randomUUID(),
      type,
      companyId,
      clusterId,
      permission: 'deployments.view',
      namespace: 'shop',
      data: {
        title: `shop/${name}: ${type}`,
        cluster: { id: clusterId, name: 'production' },
        object: { kind: 'deployment', namespace: 'shop', name },
        path: `/clusters/${clusterId}`,
      },
      ...more,
    });
  return { companyId, clusterId, viewer, teamId, happen };
}

const chosen = ['workload.trouble', 'cluster.unreachable'] as const;
const alert = (person: TestPerson, clusterId: number, body: object = {}) =>
  person.client.call('follow', { params: { clusterId }, body: { alerts: [...chosen], ...body } });
const titles = async ({ client }: TestPerson) =>
  (await client.call('notifications', {})).notifications.map(({ title }) => title);
const choose = (person: TestPerson, settings: Partial<AlertSettings>) =>
  person.client.call('saveAlertSettings', {
    body: { mail: 'soon', dailyAt: 0, quiet: null, timeZone: 'UTC', ...settings },
  });
const mailsTo = (address: string) => mail.mails.filter(({ to }) => JSON.stringify(to).includes(address));
/** What waits to be mailed to somebody is due now. */
const makeDue = ({ id }: TestPerson) =>
  console.store.db
    .update(notifications)
    .set({ mailAt: sql`now() - interval '1 second'` })
    .where(sql`${notifications.userId} = ${id} and ${notifications.mailAt} is not null`);
const waiting = async ({ id }: TestPerson) =>
  await console.store.db.$count(
    notifications,
    sql`${notifications.userId} = ${id} and ${notifications.mailAt} is not null`,
  );

describe('whoever is alerted to trouble of a cluster', () => {
  it('is told of the chosen trouble and of its end alone, beside what they follow', async () => {
    const { clusterId, viewer, happen } = await office();
    const { id, alerts } = await alert(viewer, clusterId);
    expect(alerts).toEqual(chosen);
    await happen('workload.trouble');
    await happen('workload.recovered');
    await happen('rollout.done');
    await happen('job.failed');
    expect(await titles(viewer)).toEqual(['shop/web: workload.recovered', 'shop/web: workload.trouble']);
    await viewer.client.call('follow', { params: { clusterId }, body: {} });
    await happen('rollout.done', 'cart');
    expect((await titles(viewer))[0]).toBe('shop/cart: rollout.done');
    expect((await viewer.client.call('follows', {})).map((one) => one.alerts)).toEqual([undefined, chosen]);
    // Other trouble is chosen in place of what was chosen before.
    const changed = await alert(viewer, clusterId, { alerts: ['job.failed'] });
    expect([changed.id, changed.alerts]).toEqual([id, ['job.failed']]);
  });

  it('is told in a namespace of what is in it, and of an unreachable cluster', async () => {
    const { clusterId, viewer, happen } = await office();
    await alert(viewer, clusterId, { namespace: 'payments' });
    await happen('workload.trouble');
    expect(await titles(viewer)).toEqual([]);
    const cluster = { permission: '', namespace: '' };
    const data = { title: 'The cluster is unreachable', cluster: { id: clusterId, name: 'p' }, path: '/' };
    await happen('cluster.unreachable', 'web', { ...cluster, data });
    expect(await titles(viewer)).toEqual(['The cluster is unreachable']);
  });

  it('cannot be alerted to an object, or to trouble that is none', async () => {
    const { clusterId, viewer } = await office();
    const object = { kind: 'deployment', namespace: 'shop', name: 'web' };
    await expect(alert(viewer, clusterId, { object })).rejects.toMatchObject({ status: 400 });
    await expect(alert(viewer, clusterId, { alerts: ['rollout.done'] })).rejects.toMatchObject({
      status: 400,
    });
    await expect(alert(viewer, clusterId, { alerts: [] })).rejects.toMatchObject({ status: 400 });
  });

  it('is not told of trouble that they acknowledged, until it gets worse', async () => {
    const { clusterId, viewer, happen } = await office();
    await alert(viewer, clusterId);
    const object = { kind: 'deployment', namespace: 'shop', name: 'web' };
    const causes = (extent: number) => [{ rule: 'pod.crash-loop', extent }];
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await viewer.client.call('acknowledge', {
      params: { clusterId },
      body: { object, causes: causes(2), until },
    });
    await happen('workload.trouble', 'web', { causes: causes(2) });
    expect(await titles(viewer)).toEqual([]);
    await happen('workload.trouble', 'web', { causes: causes(3) });
    expect(await titles(viewer)).toEqual(['shop/web: workload.trouble']);
  });
});

describe('a mail of alerts', () => {
  it('is sent to whoever chose it alone, several alerts in one', async () => {
    const { clusterId, viewer, happen } = await office();
    await alert(viewer, clusterId);
    await happen('workload.trouble', 'before');
    expect(await waiting(viewer)).toBe(0);
    await choose(viewer, {});
    await happen('workload.trouble', 'web');
    await happen('workload.trouble', 'cart');
    expect(await waiting(viewer)).toBe(2);
    await makeDue(viewer);
    await expect.poll(() => mailsTo(viewer.email).length, { timeout: 40_000 }).toBe(1);
    const [sent] = mailsTo(viewer.email);
    expect(sent?.subject).toBe('2 alerts of production');
    expect(sent?.text).toContain('shop/web: workload.trouble');
    expect(sent?.text).toContain('shop/cart: workload.trouble');
    expect(sent?.text).not.toContain('shop/before');
    expect(await waiting(viewer)).toBe(0);
  });

  it('leaves out what was read meanwhile, and what its reader may not see any more', async () => {
    const { clusterId, viewer, teamId, happen } = await office();
    await alert(viewer, clusterId);
    await choose(viewer, {});
    await happen('workload.trouble', 'read');
    const [first] = (await viewer.client.call('notifications', {})).notifications;
    await viewer.client.call('changeNotifications', { body: { change: 'read', ids: [first?.id ?? ''] } });
    await happen('workload.trouble', 'lost');
    await happen('workload.trouble', 'kept', {
      namespace: 'default',
      data: {
        title: 'default/kept: workload.trouble',
        cluster: { id: clusterId, name: 'production' },
        object: { kind: 'deployment', namespace: 'default', name: 'kept' },
        path: '/',
      },
    });
    await console.store.db
      .update(teamClusters)
      .set({ namespaces: ['default'] })
      .where(eq(teamClusters.teamId, teamId));
    await makeDue(viewer);
    await expect.poll(() => mailsTo(viewer.email).length, { timeout: 40_000 }).toBe(1);
    const [sent] = mailsTo(viewer.email);
    expect(sent?.subject).toBe('production: default/kept: workload.trouble');
    expect(sent?.text).not.toMatch(/read|lost/);
  });

  it('waits in quiet hours, in which the bell alone shows alerts', async () => {
    const { clusterId, viewer, happen } = await office();
    await alert(viewer, clusterId);
    await choose(viewer, { quiet: { from: 0, until: 1_439 } });
    await happen('workload.trouble');
    const { notifications: told } = await viewer.client.call('notifications', {});
    expect(told).toMatchObject([{ isQuiet: true, isRead: false }]);
    expect(await waiting(viewer)).toBe(1);
  });
});

it('a cluster that is away for a minute is one alert, and one when it is back', async () => {
  const { clusterId, viewer } = await office();
  await alert(viewer, clusterId);
  const [cluster] = await console.store.db.select().from(clusters).where(eq(clusters.id, clusterId));
  if (cluster === undefined) throw new Error('The cluster has no row.');
  let now = Date.parse('2026-11-30T12:00:00Z');
  let state: { status: 'live' | 'reconnecting'; since: string } = {
    status: 'reconnecting',
    since: new Date(now).toISOString(),
  };
  let look = (): void => undefined;
  const watch = new ReachWatch({
    cluster,
    live: {
      kind: () => undefined,
      customKinds: { choice: { watched: [], left: [] } } as never,
      board: {
        join: (_sight, sink) => {
          look = () => sink.state();
          return {
            body: undefined,
            lines: undefined,
            badLines: undefined,
            get state() {
              return state;
            },
            retry: () => undefined,
            standingOf: () => 'unknown',
            leave: () => undefined,
          };
        },
      },
    },
    store: console.store,
    happenings: happenings(),
    clock: { ...systemClock, now: () => now },
    log: console.services.log,
  });
  const end = new AbortController();
  const running = watch.run(end.signal);
  const often = { interval: 100, timeout: 20_000 };
  const told = async () => {
    look();
    return await titles(viewer);
  };
  // A restart of the API server is shorter.
  now += 50_000;
  expect(await told()).toEqual([]);
  now += 11_000;
  await expect.poll(told, often).toEqual(['The cluster is unreachable']);
  now += 60_000;
  expect(await told()).toHaveLength(1);
  state = { status: 'live', since: new Date(now).toISOString() };
  await expect.poll(told, often).toEqual(['The cluster is reachable again', 'The cluster is unreachable']);
  end.abort();
  await running;
  const { notifications: all } = await viewer.client.call('notifications', {});
  expect(all.map(({ type }) => type)).toEqual(['cluster.reachable', 'cluster.unreachable']);
});
