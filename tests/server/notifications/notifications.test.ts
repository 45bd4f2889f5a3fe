import { randomUUID } from 'node:crypto';
import { and, count, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notificationLimit } from '../../../src/contract/notifications.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { createGrants } from '../../../src/server/access/grants.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { concerns } from '../../../src/server/notifications/concerns.ts';
import { StoredFollowers } from '../../../src/server/notifications/followers.ts';
import { StoredQueue } from '../../../src/server/queue/queue.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { follows, notifications } from '../../../src/server/store/schema/notifications.ts';
import { teamClusters } from '../../../src/server/store/schema/teams.ts';
import { noticeSize } from '../../../src/server/store/store.ts';
import { type Happening, Happenings } from '../../../src/server/webhooks/happenings.ts';
import { forgetLostFollows } from '../../../src/server/webhooks/old-rows.ts';
import { tellNotified } from '../../../src/server/webhooks/personal-news.ts';
import { wantedEvents } from '../../../src/server/webhooks/wanted-events.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { openLive } from '../live/live-client.ts';

let here: TestConsole;
/** Another server over the same database. */
let there: TestConsole;

beforeAll(async () => {
  here = await startConsole();
  there = await startConsole({ config: { databaseUrl: here.services.config.databaseUrl } });
});
afterAll(async () => {
  await there.close();
  await here.close();
});

const happeningsOf = ({ services: { store, log } }: TestConsole) =>
  new Happenings({
    store,
    grants: createGrants(store),
    queue: new StoredQueue({ store, log, clock: systemClock }),
    origin: () => 'http://console.test',
    followers: new StoredFollowers(store, log, systemClock),
  });

/** An Owner, a Viewer of the whole cluster, and one of the namespace `default` alone. */
async function office() {
  const companyId = await here.company();
  const clusterId = await here.cluster(companyId, 'production');
  const owner = await here.person({ companyId, isOwner: true });
  const viewer = await here.person({ companyId });
  const teamId = await here.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
  const narrow = await here.person({ companyId });
  await here.grant(companyId, narrow.id, clusterId, teamRoles.Viewer, ['default']);
  const happening = (type: Happening['type'], more: Partial<Happening> = {}): Happening => ({
    key: randomUUID(),
    type,
    companyId,
    clusterId,
    permission: 'deployments.view',
    namespace: 'shop',
    data: {
      title: `shop/web: ${type}`,
      cluster: { id: clusterId, name: 'production' },
      object: { kind: 'deployment', namespace: 'shop', name: 'web' },
      path: '/',
    },
    ...more,
  });
  return { companyId, clusterId, owner, viewer, narrow, teamId, happening };
}

const web = { object: { kind: 'deployment', namespace: 'shop', name: 'web' } };
const follow = (person: TestPerson, clusterId: number, body: object = {}) =>
  person.client.call('follow', { params: { clusterId }, body });
const told = async (person: TestPerson) =>
  (await person.client.call('notifications', {})).notifications.map(({ type }) => type);

describe('what people are told of what they follow', () => {
  it('is stored once though two servers tell it, and comes to the open page of whoever may see it', async () => {
    const { companyId, clusterId, owner, viewer, narrow, happening } = await office();
    await follow(owner, clusterId);
    await follow(viewer, clusterId, web);
    await follow(narrow, clusterId);
    const { cookie } = await there.session(viewer.id, companyId);
    const live = await openLive(there.url, { cookie, origin: there.url });
    await live.until('the first message', () => live.hello !== undefined);
    const one = happening('workload.trouble');
    await Promise.all([happeningsOf(here).record(one), happeningsOf(there).record(one)]);
    await live.until('the news', () => live.notifications === 1);
    live.socket.terminate();
    expect(await viewer.client.call('notifications', {})).toEqual({
      unread: 1,
      notifications: [
        {
          id: expect.any(String),
          type: 'workload.trouble',
          at: expect.any(String),
          isRead: false,
          title: 'shop/web: workload.trouble',
          cluster: { id: clusterId, name: 'production' },
          object: { kind: 'deployment', namespace: 'shop', name: 'web' },
          path: '/',
        },
      ],
    });
    expect(await told(owner)).toEqual(['workload.trouble']);
    expect(await told(narrow)).toEqual([]);
  });

  it('is withheld from whoever lost the cluster, or leaves the namespace out, when they read it', async () => {
    const { companyId, clusterId, viewer, teamId, happening } = await office();
    await follow(viewer, clusterId, web);
    await happeningsOf(here).record(happening('workload.trouble'));
    expect(await told(viewer)).toEqual(['workload.trouble']);

    const own = and(eq(teamClusters.teamId, teamId), eq(teamClusters.clusterId, clusterId));
    await here.store.db
      .update(teamClusters)
      .set({ namespaces: ['default'] })
      .where(own);
    expect(await viewer.client.call('notifications', {})).toEqual({ notifications: [], unread: 0 });
    expect(await viewer.client.call('follows', {})).toEqual([]);
    await here.store.db.delete(teamClusters).where(own);
    expect(await told(viewer)).toEqual([]);
    await here.store.db.insert(teamClusters).values({ companyId, teamId, clusterId });
    expect(await told(viewer)).toEqual(['workload.trouble']);

    const settings = { params: { clusterId }, body: { excludedNamespaces: ['shop'] } };
    await viewer.client.call('saveUserSettings', settings);
    await happeningsOf(here).record(happening('workload.recovered'));
    expect(await told(viewer)).toEqual([]);
    await viewer.client.call('saveUserSettings', { ...settings, body: { excludedNamespaces: [] } });
    // What happened meanwhile was left out for good.
    expect(await told(viewer)).toEqual(['workload.trouble']);
  });

  it('names who did it to Owners alone, and is no news to whoever did it', async () => {
    const { clusterId, owner, viewer, happening } = await office();
    for (const person of [owner, viewer]) await follow(person, clusterId);
    const { data } = happening('console.changed');
    const ownersData = { ...data, title: 'anna@example.com: restart' };
    await happeningsOf(here).record(happening('console.changed', { ownersData }));
    await happeningsOf(here).record(happening('job.failed', { byUserId: viewer.id }));
    const titles = async (person: TestPerson) =>
      (await person.client.call('notifications', {})).notifications.map(({ title }) => title);
    expect(await titles(owner)).toEqual(['shop/web: job.failed', 'anna@example.com: restart']);
    expect(await titles(viewer)).toEqual(['shop/web: console.changed']);
  });

  it('is marked as read and unread and cleared by its person alone', async () => {
    const { clusterId, owner, viewer, happening } = await office();
    for (const person of [owner, viewer]) await follow(person, clusterId);
    for (const type of ['workload.trouble', 'workload.recovered'] as const)
      await happeningsOf(here).record(happening(type));
    const list = await viewer.client.call('notifications', {});
    const ids = list.notifications.map(({ id }) => id);
    const change = (by: TestPerson, what: 'read' | 'unread' | 'clear', some = ids) =>
      by.client.call('changeNotifications', { body: { change: what, ids: some } });
    const state = async () => {
      const { notifications: all, unread } = await viewer.client.call('notifications', {});
      return [all.length, unread];
    };
    await change(owner, 'clear');
    expect(await state()).toEqual([2, 2]);
    await change(viewer, 'read');
    expect(await state()).toEqual([2, 0]);
    await change(viewer, 'unread', ids.slice(0, 1));
    expect(await state()).toEqual([2, 1]);
    await change(viewer, 'clear', ids.slice(0, 1));
    expect(await state()).toEqual([1, 0]);
    expect(await told(owner)).toHaveLength(2);
  });

  it('is kept up to a number, of which the oldest go', async () => {
    const { companyId, clusterId, viewer, happening } = await office();
    await follow(viewer, clusterId);
    await here.store.db.execute(sql`
      with old as (insert into happenings (id, key, company_id, cluster_id, type, permission, namespace, data)
        select gen_random_uuid(), gen_random_uuid()::text, ${companyId}, ${clusterId}, 'job.failed', '', '',
          '{"title": "old", "path": "/"}'::jsonb from generate_series(1, ${notificationLimit}) returning id)
      insert into notifications (id, company_id, user_id, happening_id, created_at)
      select gen_random_uuid(), ${companyId}, ${viewer.id}, id, now() - interval '1 day' from old`);
    await happeningsOf(here).record(happening('workload.trouble'));
    const [kept] = await here.store.db
      .select({ rows: count() })
      .from(notifications)
      .where(eq(notifications.userId, viewer.id));
    expect(kept?.rows).toBe(notificationLimit);
    expect((await told(viewer))[0]).toBe('workload.trouble');
  });
});

describe('what people follow', () => {
  it('is what they may view, each once, and what they wait for besides', async () => {
    const { clusterId, viewer, narrow } = await office();
    const outside = (body: object) =>
      narrow.client.send('PUT', `/api/clusters/${clusterId}/follows`, body).then(({ status }) => status);
    expect(await outside(web)).toBe(403);
    expect(await outside({ namespace: 'shop' })).toBe(403);
    expect(await outside({ object: { kind: 'nothing', name: 'a' } })).toBe(404);
    expect(await outside({ ...web, namespace: 'default' })).toBe(400);
    expect(await outside({ object: { kind: 'namespace', name: 'default' } })).toBe(200);
    expect(await narrow.client.call('follows', {})).toMatchObject([{ namespace: 'default' }]);

    expect(await outside({ namespace: 'default', isUntilReady: true })).toBe(400);

    const first = await follow(viewer, clusterId, web);
    expect(await follow(viewer, clusterId, web)).toEqual(first);
    const waiting = await follow(viewer, clusterId, { ...web, isUntilReady: true });
    expect(waiting).toMatchObject({ ...web, isUntilReady: true });
    const unfollow = (person: TestPerson) =>
      person.client.call('unfollow', { params: { followId: first.id } });
    await expect(unfollow(narrow)).rejects.toMatchObject({ status: 404 });
    expect(await viewer.client.call('follows', {})).toHaveLength(2);
    for (const { id } of [first, waiting]) await viewer.client.call('unfollow', { params: { followId: id } });
    expect(await viewer.client.call('follows', {})).toEqual([]);
    await expect(unfollow(viewer)).rejects.toMatchObject({ status: 404 });
  });

  it('until it is ready hears why it is not, and once that it is, though two servers see it', async () => {
    const { companyId, clusterId, viewer, happening } = await office();
    const { id } = await follow(viewer, clusterId, { ...web, isUntilReady: true });
    const types = ['console.changed', 'workload.trouble', 'rollout.done', 'workload.recovered'] as const;
    for (const type of types) await happeningsOf(here).record(happening(type));
    expect(await told(viewer)).toEqual(['workload.trouble']);
    const [row] = await here.store.db.select().from(follows).where(eq(follows.id, id));
    if (row === undefined) throw new Error('It is followed no longer.');
    const { permission, namespace, data } = happening('rollout.done');
    const news = { type: 'workload.ready' as const, permission, namespace, data };
    const tellOne = ({ services: { store, log } }: TestConsole) =>
      new StoredFollowers(store, log, systemClock).tellOne(row, news);
    await Promise.all([tellOne(here), tellOne(there)]);
    expect(await told(viewer)).toEqual(['workload.ready', 'workload.trouble']);
    expect(row).toMatchObject({ companyId, userId: viewer.id });
    expect(await viewer.client.call('follows', {})).toEqual([]);
  });

  it('of a cluster that they lost is forgotten; suspended people keep it, and no cluster is watched for it', async () => {
    const { companyId, clusterId, owner, viewer, narrow, teamId, happening } = await office();
    for (const person of [owner, viewer, narrow]) await follow(person, clusterId);
    const { db } = here.store;
    const of = ({ id }: TestPerson) => and(eq(memberships.userId, id), eq(memberships.companyId, companyId));
    await db.update(memberships).set({ state: 'suspended' }).where(of(narrow));
    const people = async () =>
      (await db.select().from(follows).where(eq(follows.clusterId, clusterId))).map(({ userId }) => userId);
    const wanted = async () =>
      (await db.execute(sql`select 1 from ${wantedEvents} w where cluster_id = ${clusterId}`)).rows.length;
    expect(await wanted()).toBe(2);
    await happeningsOf(here).record(happening('workload.trouble', { namespace: 'default' }));
    await forgetLostFollows(db);
    expect(await people()).toHaveLength(3);
    await db.delete(teamClusters).where(eq(teamClusters.teamId, teamId));
    await forgetLostFollows(db);
    expect(new Set(await people())).toEqual(new Set([owner.id, narrow.id]));
    expect(await wanted()).toBe(1);
    const [kept] = await db
      .select({ rows: count() })
      .from(notifications)
      .where(eq(notifications.userId, narrow.id));
    expect(kept?.rows).toBe(0);
  });

  it('is told by messages that have room for all of them, and a failure of these fails nothing', async () => {
    const sizes: number[] = [];
    const { log } = here.services;
    const userIds = Array.from({ length: 1_201 }, (_, at) => 2_147_480_000 + at);
    const dispose = there.store.channel.on('notifications', (message) => sizes.push(message.userIds.length));
    await tellNotified(here.store.channel, log, userIds);
    await expect.poll(() => sizes.reduce((sum, size) => sum + size, 0)).toBe(1_201);
    dispose();
    expect(Math.max(...sizes)).toBeLessThanOrEqual(noticeSize);
    await tellNotified({ notify: () => Promise.reject(new Error('gone')) }, log, userIds);
  });

  const followed = { kind: '', namespace: '', name: '', isUntilReady: false };
  const several = { kind: 'pod, deployment', namespace: 'shop, ops', name: 'shop/a, ops/b' };
  it.each([
    ['a cluster, of everything', {}, undefined, '', true],
    ['a namespace, of what is in it', { namespace: 'shop' }, web.object, 'shop', true],
    ['a namespace, of nothing beside it', { namespace: 'ops' }, web.object, 'shop', false],
    ['a namespace, of itself', { namespace: 'shop' }, { kind: 'namespace', name: 'shop' }, '', true],
    ['an object, of it', { ...web.object }, web.object, 'shop', true],
    ['an object, not of its namesake', { ...web.object, namespace: 'ops' }, web.object, 'shop', false],
    ['an object, not of another kind', { ...web.object, kind: 'pod' }, web.object, 'shop', false],
    ['one of several', { kind: 'pod', namespace: 'shop', name: 'a' }, several, 'shop, ops', true],
    ['none of several', { kind: 'pod', namespace: 'ops', name: 'a' }, several, 'shop, ops', false],
    ['a node', { kind: 'node', name: 'n1' }, { kind: 'node', name: 'n1' }, '', true],
  ])('%s', (_, target, object, namespace, expected) => {
    const data = { title: '', cluster: { id: 1, name: '' }, path: '/', ...(object && { object }) };
    const happening = { type: 'workload.trouble' as const, namespace, data };
    expect(concerns({ ...followed, ...target }, happening)).toBe(expected);
  });
});
