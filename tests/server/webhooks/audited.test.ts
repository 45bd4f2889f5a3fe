import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../commands/kinds/index.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { WebhookEvent } from '../../../src/contract/webhooks.ts';
import { createGrants } from '../../../src/server/access/grants.ts';
import { AuditWatch } from '../../../src/server/detection/audit-watch.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { StoredFollowers } from '../../../src/server/notifications/followers.ts';
import { StoredQueue } from '../../../src/server/queue/queue.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { auditCursors, webhookDeliveries, webhooks } from '../../../src/server/store/schema/webhooks.ts';
import { Happenings } from '../../../src/server/webhooks/happenings.ts';
import { writeDated } from '../audit/dated.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

/** Nothing listens here. */
const port = 9;

let console: TestConsole;
let watch: AuditWatch;
beforeAll(async () => {
  console = await startConsole({
    config: { webhooks: { allowPorts: [port], allowCidrs: ['127.0.0.1/32'] } },
  });
  const { store, log } = console.services;
  const queue = new StoredQueue({ store, log, clock: systemClock });
  const origin = () => 'http://console.test';
  const followers = new StoredFollowers(store, log, systemClock);
  const happenings = new Happenings({ store, grants: createGrants(store), queue, origin, followers });
  watch = new AuditWatch({ store, happenings, kinds, clock: systemClock, log });
});
afterAll(() => console.close());

interface Place {
  readonly companyId: number;
  readonly clusterId: number;
}

/** A webhook of two days, and the titles of what it is sent: nothing listens at its address. */
async function webhookOf({ client }: TestPerson, { clusterId }: Place, events: readonly WebhookEvent[]) {
  const { id } = await client.call('addWebhook', {
    params: { clusterId },
    body: { url: `http://127.0.0.1:${port}/`, events: [...events] },
  });
  const { db } = console.store;
  await db.update(webhooks).set({ createdAt: sql`now() - interval '2 days'` }).where(eq(webhooks.id, id));
  return async () => {
    const rows = await db
      .select({ body: webhookDeliveries.body })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.webhookId, id));
    return rows.map(({ body }) => (JSON.parse(body) as { data: { title: string } }).data.title).toSorted();
  };
}

async function quietCluster() {
  const companyId = await console.company();
  const clusterId = await console.cluster(companyId, 'quiet');
  const owner = await console.person({ companyId, isOwner: true });
  return { companyId, clusterId, owner };
}

/** An entry of the audit that succeeded some hours ago. */
const entry = (
  { companyId, clusterId }: Place,
  action: string,
  {
    hours = 0,
    ...more
  }: Partial<Pick<typeof auditRows.$inferInsert, 'subject' | 'changes'>> & { readonly hours?: number },
): typeof auditRows.$inferInsert => ({
  companyId,
  clusterId,
  actor: 'anna@example.com',
  action,
  address: '127.0.0.1',
  requestId: 'r',
  status: 200,
  startedAt: sql`now() - make_interval(hours => ${hours})` as never,
  finishedAt: sql`now() - make_interval(hours => ${hours})` as never,
  ...more,
});

describe('changes of a cluster as a whole', () => {
  it('are told like those of its objects, and to nobody what they may not view', async () => {
    const { owner, ...place } = await quietCluster();
    const { companyId, clusterId } = place;
    const [viewer, narrow] = [await console.person({ companyId }), await console.person({ companyId })];
    await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    await console.grant(companyId, narrow.id, clusterId, teamRoles.Viewer, ['shop']);
    const ofOwner = await webhookOf(owner, place, ['console.changed']);
    const ofViewer = await webhookOf(viewer, place, ['console.changed']);
    const ofNarrow = await webhookOf(narrow, place, ['console.changed']);
    await console.store.db.insert(auditRows).values([
      entry(place, 'createNamespace', { subject: { namespace: 'billing' } }),
      entry(place, 'saveGlobalSettings', {
        subject: { name: 'quiet', isReadOnly: true },
        changes: { isReadOnly: { before: false, after: true } },
      }),
      entry(place, 'replaceKubeconfig', { subject: { name: 'quiet' } }),
      entry(place, 'saveUserSettings', { subject: { excludedNamespaces: 'x' } }),
    ]);
    await watch.look();
    const whole = [
      'Settings of the cluster were changed: isReadOnly',
      'The credential of the cluster was replaced',
    ];
    const all = ['Namespace billing was created', ...whole];
    expect(await ofOwner()).toEqual(all.map((title) => `anna@example.com: ${title}`));
    expect(await ofViewer()).toEqual(all);
    expect(await ofNarrow()).toEqual(whole);
  });
});

describe('temporary access', () => {
  it('is told to whoever may decide on it, and what is given to whoever gets it', async () => {
    const { owner, ...place } = await quietCluster();
    const { companyId, clusterId } = place;
    const [admin, asking, other] = [
      await console.person({ companyId }),
      await console.person({ companyId }),
      await console.person({ companyId }),
    ];
    const team = await console.grant(companyId, admin.id, clusterId, teamRoles.TeamAdmin);
    await console.join(companyId, team, asking.id, teamRoles.Viewer);
    await console.join(companyId, team, other.id, teamRoles.Viewer);
    const events = ['access.asked', 'access.granted'] as const;
    const told = [
      await webhookOf(owner, place, events),
      await webhookOf(admin, place, events),
      await webhookOf(asking, place, events),
      await webhookOf(other, place, events),
    ];
    for (const { client } of [admin, asking, other])
      await client.call('follow', { params: { clusterId }, body: {} });
    const { id } = await asking.client.call('askAccess', {
      body: { clusterId, permissions: ['deployments.manage'], reason: 'A release.', minutes: 30 },
    });
    await admin.client.call('approveAccess', { params: { requestId: id } });
    await watch.look();
    const asked = `${asking.email} asks for temporary access`;
    const granted = `${admin.email} granted temporary access to ${asking.email}`;
    const both = [asked, granted].toSorted();
    expect(await Promise.all(told.map((read) => read()))).toEqual([both, both, [granted], []]);
    const notified = async ({ client }: TestPerson) =>
      (await client.call('notifications', {})).notifications.map(({ title }) => title);
    // What people did themselves is no news to them.
    expect(await notified(admin)).toEqual([asked]);
    expect(await notified(asking)).toEqual([granted]);
    expect(await notified(other)).toEqual([]);
  });
});

describe('a reader of the audit that was away', () => {
  it('begins where the one before ended, and anew where nobody wanted to hear of it meanwhile', async () => {
    const { owner, ...place } = await quietCluster();
    const { clusterId } = place;
    const { db } = console.store;
    const told = await webhookOf(owner, place, ['console.changed']);
    // Set with the entries in one commit: the console's own reader looks as well.
    await writeDated(db, async (tx) => {
      const readUntil = sql`now() - interval '3 hours'` as never;
      await tx
        .insert(auditCursors)
        .values({ clusterId, readUntil })
        .onConflictDoUpdate({ target: auditCursors.clusterId, set: { readUntil } });
      await tx
        .insert(auditRows)
        .values([
          entry(place, 'pod.kill', { hours: 4, subject: { kind: 'pod', names: 'shop/told' } }),
          entry(place, 'pod.kill', { hours: 2, subject: { kind: 'pod', names: 'shop/missed' } }),
        ]);
    });
    await watch.look();
    expect(await told()).toEqual(['anna@example.com: pod.kill of shop/missed']);
    const cursor = async () => {
      const [row] = await db.select().from(auditCursors).where(eq(auditCursors.clusterId, clusterId));
      return row && Date.now() - Date.parse(row.readUntil) < 60_000;
    };
    expect(await cursor()).toBe(true);
    await db.delete(webhooks).where(eq(webhooks.clusterId, clusterId));
    await expect.poll(cursor, { timeout: 60_000 }).toBe(undefined);
  });
});
