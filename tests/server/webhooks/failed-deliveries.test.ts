import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { deliveriesPerPage, type Delivery } from '../../../src/contract/webhooks.ts';
import { webhookDeliveries, webhooks } from '../../../src/server/store/schema/webhooks.ts';
import { forgetOldRows } from '../../../src/server/webhooks/old-rows.ts';
import { startConsole } from '../harness.ts';
import type { TestClient } from '../http-client.ts';
import { shareWebhooks, verify } from './webhook-lab.ts';

const lab = shareWebhooks();
const { add, deliveries, list, ofDelivery, settled, test } = lab;

describe('a delivery that fails', () => {
  /** Queues a message that is no test, at a step of its tries. */
  async function queued(webhookId: string, step = 0): Promise<string> {
    const { console, clusterId } = lab.shared;
    const { person } = lab.people;
    const { deliveryId } = await test(webhookId);
    await settled(webhookId, deliveryId, 'delivered');
    await console.store.db
      .update(webhookDeliveries)
      .set({ type: 'job.failed', state: 'failed', attempts: [] })
      .where(eq(webhookDeliveries.id, deliveryId));
    await person.client.call('redeliver', { params: { clusterId, webhookId }, body: { deliveryId } });
    if (step > 0)
      await console.store.db
        .update(webhookDeliveries)
        .set({ step })
        .where(eq(webhookDeliveries.id, deliveryId));
    return deliveryId;
  }

  it('is tried again with the same id and body, and a new time', async () => {
    const { receiver } = lab.shared;
    const { id, secret } = await add();
    receiver.answer({ status: 204 }, { status: 500, body: 'x'.repeat(5_000) });
    const deliveryId = await queued(id);
    const delivery = await settled(id, deliveryId, 'delivered');
    expect(delivery.attempts).toMatchObject([
      { status: 204, problem: null },
      { status: 500, problem: 'The receiver answered 500.', head: 'x'.repeat(1_024) },
    ]);
    const sent = ofDelivery(deliveryId);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    for (const one of sent) verify(secret, one);
  });

  it('by a redirect is not followed', async () => {
    const { receiver } = lab.shared;
    const { id } = await add();
    receiver.answer({ status: 302, headers: { location: `${receiver.url}/elsewhere` } });
    const { deliveryId } = await test(id);
    const { attempts } = await settled(id, deliveryId, 'failed');
    expect(attempts).toMatchObject([
      { status: 302, problem: expect.stringContaining('redirects are not followed') },
    ]);
    expect(receiver.received.some(({ path }) => path.includes('elsewhere'))).toBe(false);
  });

  it('with 410 disables nothing where another server has gone on with it meanwhile', async () => {
    const { console, receiver } = lab.shared;
    const { id } = await add();
    const held = Promise.withResolvers<void>();
    receiver.answer({ status: 410, after: held.promise });
    const { deliveryId } = await test(id);
    await expect.poll(() => ofDelivery(deliveryId)).toHaveLength(1);
    await console.store.db
      .update(webhookDeliveries)
      .set({ state: 'delivered', tries: sql`${webhookDeliveries.tries} + 1` })
      .where(eq(webhookDeliveries.id, deliveryId));
    held.resolve();
    // A disabled webhook takes no test.
    const next = await test(id);
    await settled(id, next.deliveryId, 'delivered');
    expect((await list())[0]).toMatchObject({ disabledReason: null });
    expect((await deliveries(id))[1]).toMatchObject({ state: 'delivered' });
  });

  it('with 410 disables its webhook, which is enabled again by a change', async () => {
    const { receiver, clusterId } = lab.shared;
    const { person, other } = lab.people;
    const { id } = await add();
    receiver.answer({ status: 410 });
    const { deliveryId } = await test(id);
    await settled(id, deliveryId, 'failed');
    expect((await list())[0]?.disabledReason).toContain('410');
    const { notifications } = await person.client.call('notifications', {});
    expect(notifications.filter(({ type }) => type === 'webhook.disabled')).toEqual([
      expect.objectContaining({
        title: `Your webhook at ${new URL(receiver.url).origin} is disabled`,
        path: `/clusters/${clusterId}/settings/cluster`,
      }),
    ]);
    expect((await other.client.call('notifications', {})).notifications).toEqual([]);
    await expect(test(id)).rejects.toMatchObject({ status: 409 });
    const changed = await person.client.call('changeWebhook', {
      params: { clusterId, webhookId: id },
      body: { events: ['node.not_ready'], format: 'standard' },
    });
    expect(changed).toMatchObject({ disabledReason: null, events: ['node.not_ready'] });
    const again = await person.client.call('redeliver', {
      params: { clusterId, webhookId: id },
      body: { failedSince: new Date(Date.now() - 60_000).toISOString() },
    });
    expect(again).toEqual({ count: 1 });
    await settled(id, deliveryId, 'delivered');
    expect(ofDelivery(deliveryId)).toHaveLength(2);
  });

  it('is sent again with others up to what may wait for one webhook', async () => {
    const { console, clusterId } = lab.shared;
    const { person } = lab.people;
    const { id } = await add();
    const rows = (number: number, state: 'failed' | 'waiting') =>
      console.store.db.execute(sql`
        insert into webhook_deliveries (id, webhook_id, type, body, state, next_at)
        select gen_random_uuid(), ${id}, 'job.failed', '{}', ${state}, now() + interval '1 day'
        from generate_series(1, ${number}::int)`);
    await rows(3, 'failed');
    await rows(998, 'waiting');
    const again = () =>
      person.client.call('redeliver', {
        params: { clusterId, webhookId: id },
        body: { failedSince: new Date(Date.now() - 60_000).toISOString() },
      });
    await expect(again()).resolves.toEqual({ count: 2 });
    await rows(2, 'waiting');
    await expect(again()).rejects.toMatchObject({
      status: 409,
      title: expect.stringContaining('1,000 deliveries of this webhook are waiting to be sent'),
    });
  });

  it('is found in the log page by page, the newest first, each once', async () => {
    const { console, clusterId } = lab.shared;
    const { person } = lab.people;
    const { id } = await add();
    await console.store.db.execute(sql`
      insert into webhook_deliveries (id, webhook_id, type, body, state, next_at, created_at)
      select gen_random_uuid(), ${id}, 'job.failed', number::text, 'delivered', now(),
        now() - interval '1 minute' * (number / 3)
      from generate_series(1, 450) as number`);
    const pages: (readonly Delivery[])[] = [];
    for (let after: string | undefined; pages.length < 4; after = pages.at(-1)?.at(-1)?.id) {
      const page = await person.client.call('webhookDeliveries', {
        params: { clusterId, webhookId: id },
        query: after === undefined ? {} : { after },
      });
      pages.push(page);
      if (page.length < deliveriesPerPage) break;
    }
    expect(pages.map(({ length }) => length)).toEqual([200, 200, 50]);
    const ages = pages.flat().map(({ body }) => Math.floor(Number(body) / 3));
    expect(ages).toEqual(ages.toSorted((one, other) => one - other));
    expect(new Set(pages.flat().map((one) => one.id)).size).toBe(450);
  });

  it('is forgotten with what it told of when it is no longer shown', async () => {
    const { console, receiver } = lab.shared;
    const { id } = await add();
    receiver.answer({ status: 204 });
    const old = await test(id);
    const fresh = await test(id);
    // A message that is under way would have an answer that the next test gives.
    for (const { deliveryId } of [old, fresh]) await settled(id, deliveryId, 'delivered');
    await console.store.db
      .update(webhookDeliveries)
      .set({ createdAt: sql`now() - interval '31 days'` })
      .where(eq(webhookDeliveries.id, old.deliveryId));
    await forgetOldRows(console.store.db);
    expect((await deliveries(id)).map((one) => one.id)).toEqual([fresh.deliveryId]);
  });

  it('waits as long as a busy receiver asks', async () => {
    const { receiver } = lab.shared;
    const { id } = await add();
    receiver.answer({ status: 204 }, { status: 503, headers: { 'retry-after': '3600' } });
    const deliveryId = await queued(id);
    await expect
      .poll(async () => Date.parse((await deliveries(id))[0]?.nextAt ?? '') - Date.now())
      .toBeGreaterThan(3_500_000);
    receiver.answer({ status: 204 }, { status: 429 });
    await queued(id);
    await expect
      .poll(async () => (await deliveries(id)).filter(({ state }) => state === 'waiting').length)
      .toBe(2);
    expect((await deliveries(id)).some((one) => one.id === deliveryId)).toBe(true);
  });

  it.each([429, 502, 504])('slows down what waits for a receiver that answers %i', async (status) => {
    const { receiver } = lab.shared;
    const { id } = await add();
    receiver.answer({ status: 204 }, { status: 503, headers: { 'retry-after': '60' } });
    await queued(id);
    const waits = async () =>
      (await deliveries(id))
        .filter(({ state }) => state === 'waiting')
        .map(({ nextAt }) => Date.parse(nextAt ?? '') - Date.now());
    await expect.poll(async () => (await waits()).filter((wait) => wait > 30_000).length).toBe(1);
    receiver.answer({ status: 204 }, { status });
    await queued(id);
    await expect.poll(async () => (await waits()).filter((wait) => wait > 90_000).length).toBe(2);
  });

  it('for three days disables its webhook', async () => {
    const { console, receiver } = lab.shared;
    const { id } = await add();
    receiver.answer({ status: 204 });
    const { deliveryId } = await test(id);
    await settled(id, deliveryId, 'delivered');
    receiver.answer({ status: 500 });
    await console.store.db.transaction(async (tx) => {
      await tx
        .update(webhookDeliveries)
        .set({ type: 'job.failed', state: 'waiting', step: 9, nextAt: sql`now()` })
        .where(eq(webhookDeliveries.id, deliveryId));
      const [row] = await tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, deliveryId));
      await tx.execute(sql`insert into pgboss.job (name, data, singleton_key, policy)
        values ('webhook', ${JSON.stringify({ id: deliveryId, tries: row?.tries })}::jsonb, ${`${deliveryId}/x`}, 'exclusive')`);
    });
    await settled(id, deliveryId, 'failed');
    expect((await list())[0]?.disabledReason).toContain('Every attempt within three days failed');
  });

  it('of somebody who lost the cluster is dropped unsent', async () => {
    const { console } = lab.shared;
    const { person } = lab.people;
    const { id } = await add();
    await console.store.db.execute(sql`delete from team_members where user_id = ${person.id}`);
    await expectDropped(id);
  });

  it.each<readonly [string, (owner: TestClient, teamId: number) => Promise<unknown>]>([
    [
      'the place in the team',
      (owner, teamId) => owner.call('removeTeamMember', { params: { teamId, userId: lab.people.person.id } }),
    ],
    [
      'the membership for a while',
      (owner) =>
        owner.call('changeMember', { params: { userId: lab.people.person.id }, body: { isSuspended: true } }),
    ],
  ])(
    'is sent by neither of two servers once %s was taken away on one',
    async (what, take) => {
      const { console, ports, companyId } = lab.shared;
      const { teamId } = lab.people;
      const there = await startConsole({
        config: {
          databaseUrl: console.services.config.databaseUrl,
          webhooks: { allowPorts: ports, allowCidrs: ['127.0.0.1/32'] },
        },
      });
      try {
        const { id } = await add();
        const owner = await console.person({ companyId, isOwner: true });
        await take(await there.session(owner.id, companyId), teamId);
        if (what !== 'the membership') await expectDropped(id, 6);
        // With the membership for good the webhook goes, with its address and all that waits.
        else {
          const left = await console.store.db.select().from(webhooks).where(eq(webhooks.id, id));
          expect(left).toEqual([]);
        }
      } finally {
        await there.close();
      }
    },
    30_000,
  );

  it('of an Owner without a passkey is dropped unsent where their company asks for one', async () => {
    const { console, companyId } = lab.shared;
    const { person } = lab.people;
    const { id } = await add();
    const { db } = console.store;
    await db.execute(sql`update memberships set org_role = ${orgRoles.Owner} where user_id = ${person.id}`);
    await db.execute(sql`update companies set owners_use_passkeys = true where id = ${companyId}`);
    try {
      await expectDropped(id);
    } finally {
      await db.execute(sql`update companies set owners_use_passkeys = false where id = ${companyId}`);
    }
  });

  async function expectDropped(id: string, count = 1): Promise<void> {
    const { console, receiver } = lab.shared;
    const before = receiver.received.length;
    await console.store.db.transaction(async (tx) => {
      for (let made = 0; made < count; made += 1) {
        const deliveryId = randomUUID();
        await tx
          .insert(webhookDeliveries)
          .values({ id: deliveryId, webhookId: id, type: 'job.failed', body: '{}' });
        await tx.execute(sql`insert into pgboss.job (name, data, singleton_key, policy)
          values ('webhook', ${JSON.stringify({ id: deliveryId, tries: 0 })}::jsonb, ${deliveryId}, 'exclusive')`);
      }
    });
    await expect
      .poll(
        async () =>
          (
            await console.store.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, id))
          ).map(({ state }) => state),
        { timeout: 10_000 },
      )
      .toEqual(Array.from({ length: count }, () => 'dropped'));
    expect(receiver.received).toHaveLength(before);
  }
});
