import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { orgRoles, teamRoles } from '../../../src/contract/permissions.ts';
import { deliveriesPerPage, type Delivery } from '../../../src/contract/webhooks.ts';
import { happenings, webhookDeliveries, webhooks } from '../../../src/server/store/schema/webhooks.ts';
import { forgetOldRows } from '../../../src/server/webhooks/old-rows.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import type { TestClient } from '../http-client.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
let second: Receiver;
/** Ports that the operator opened. */
let ports: number[];
let console: TestConsole;
let companyId: number;
let clusterId: number;
let person: TestPerson;
let other: TestPerson;
/** The team that gives the person the cluster. */
let teamId: number;
/** Added to the time of day, ms. */
let later = 0;

beforeAll(async () => {
  receiver = await startReceiver();
  second = await startReceiver();
  ports = [receiver.port, second.port];
  console = await startConsole({
    config: { webhooks: { allowPorts: ports, allowCidrs: ['127.0.0.1/32'] } },
    now: () => Date.now() + later,
  });
  companyId = await console.company();
  clusterId = await console.cluster(companyId, 'prod');
});
afterAll(async () => {
  await console.close();
  await receiver.close();
  await second.close();
});
beforeEach(async () => {
  later = 0;
  person = await console.person({ companyId });
  other = await console.person({ companyId });
  teamId = await console.grant(companyId, person.id, clusterId, teamRoles.Viewer);
  await console.grant(companyId, other.id, clusterId, teamRoles.Viewer);
});

const add = (body: Record<string, unknown> = {}, who = person) =>
  who.client.call('addWebhook', {
    params: { clusterId },
    body: { url: receiver.url, events: ['job.failed'], ...body },
  });
const test = (webhookId: string) => person.client.call('testWebhook', { params: { clusterId, webhookId } });
const deliveries = (webhookId: string) =>
  person.client.call('webhookDeliveries', { params: { clusterId, webhookId } });
const list = async (who = person) =>
  (await who.client.call('userSettings', { params: { clusterId } })).webhooks;

/** Waits for the delivery of a test to be in a state. */
async function settled(webhookId: string, deliveryId: string, state: Delivery['state']): Promise<Delivery> {
  let found: Delivery | undefined;
  await expect
    .poll(
      async () => {
        found = (await deliveries(webhookId)).find(({ id }) => id === deliveryId);
        return found?.state;
      },
      { timeout: 10_000 },
    )
    .toBe(state);
  if (found === undefined) throw new Error('No such delivery.');
  return found;
}

const ofDelivery = (id: string): Received[] =>
  receiver.received.filter(({ headers }) => headers['webhook-id'] === id);

const verify = (secret: string, { headers, body }: Received) => new Verifier(secret).verify(body, headers);

describe('a webhook', () => {
  it('gets a message that an independent implementation of Standard Webhooks verifies', async () => {
    const { id, secret } = await add();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { deliveryId } = await test(id);
    const delivery = await settled(id, deliveryId, 'delivered');
    const [sent] = ofDelivery(deliveryId);
    if (sent === undefined) throw new Error('Nothing came.');
    expect(verify(secret, sent)).toMatchObject({
      type: 'webhook.test',
      data: {
        cluster: { id: clusterId, name: 'prod' },
        url: expect.stringMatching(/^http:.*\/settings\/cluster$/),
      },
    });
    expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, sent)).toThrow();
    expect(sent.body).toBe(delivery.body);
    expect(delivery.attempts).toMatchObject([{ status: 204, problem: null }]);
  });

  it('shows its secret once, and its address by origin alone: in no list, log of deliveries, audit or log', async () => {
    const { id, secret } = await add();
    receiver.answer({ status: 404, body: 'No /hooks/T0/hush-path?token=hush-query, neither hush-query.' });
    const { deliveryId } = await test(id);
    await settled(id, deliveryId, 'failed');
    const changed = await person.client.call('changeWebhookSecret', { params: { clusterId, webhookId: id } });
    const rows = await console.store.db.execute(sql`select a::text from audit a`);
    const stored = await console.store.db.execute(
      sql`select w::text || encode(url || secret || previous_secret, 'escape') from webhooks w where id = ${id}`,
    );
    const said = [await list(), await deliveries(id), rows.rows, stored.rows, console.log].map((one) =>
      JSON.stringify(one),
    );
    expect(said[0]).toContain(`http://127.0.0.1:${receiver.port}`);
    expect(said[2]).toContain('addWebhook');
    for (const text of said)
      for (const hidden of [secret, changed.secret, secret.slice(6), 'hush-path', 'hush-query'])
        expect(text).not.toContain(hidden);
  });

  it('takes another address or secret from somebody who showed lately who they are', async () => {
    const { id } = await add();
    await console.store.db.execute(
      sql`update sessions set proved_at = now() - interval '1 day' where user_id = ${person.id}`,
    );
    const params = { clusterId, webhookId: id };
    const body = { events: ['job.failed' as const], format: 'slack' as const };
    for (const attempt of [
      () => add(),
      () => person.client.call('changeWebhook', { params, body: { ...body, url: second.url } }),
      () => person.client.call('changeWebhookSecret', { params }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 403 });
    expect(await list()).toMatchObject([{ origin: new URL(receiver.url).origin, previousUntil: null }]);
    const [before] = await list();
    expect(await person.client.call('changeWebhook', { params, body })).toMatchObject({ format: 'slack' });
    const { rows } = await console.store.db.execute<{ changes: unknown }>(
      sql`select changes from audit where action = 'changeWebhook' and status = 200 order by id desc limit 1`,
    );
    expect(rows[0]?.changes).toEqual({ format: { before: before?.format, after: 'slack' } });
  });

  it('logs no delivery of what its owner may not hear of any more', async () => {
    const { id } = await add();
    const queuedOf = async (permission: string) => {
      const happeningId = randomUUID();
      const [deliveryId, type] = [randomUUID(), 'job.failed'];
      await console.store.db.insert(happenings).values({
        id: happeningId,
        key: happeningId,
        type,
        companyId,
        clusterId,
        permission,
        namespace: 'shop',
        data: {},
      });
      await console.store.db
        .insert(webhookDeliveries)
        .values({ id: deliveryId, webhookId: id, happeningId, type, body: '{}', state: 'delivered' });
      return deliveryId;
    };
    await queuedOf('pods.manage');
    const seen = await queuedOf('pods.view');
    expect((await deliveries(id)).map((one) => one.id)).toEqual([seen]);
  });

  it('that answers slowly keeps nobody else’s waiting', async () => {
    const slow = await add();
    let release: () => void = () => undefined;
    const after = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.answer(...Array.from({ length: 2 }, () => ({ status: 204, after })));
    const begun = receiver.received.length;
    const sent = [];
    for (let index = 0; index < 8; index += 1) sent.push((await test(slow.id)).deliveryId);
    await expect.poll(() => receiver.received.length - begun).toBe(2);
    const quick = await add({ url: second.url }, other);
    await other.client.call('testWebhook', { params: { clusterId, webhookId: quick.id } });
    await expect.poll(() => second.received.length).toBe(1);
    expect(receiver.received.length - begun).toBe(2);
    release();
    for (const deliveryId of sent) await settled(slow.id, deliveryId, 'delivered');
  }, 30_000);

  it('is judged by the open ports of each moment', async () => {
    const { id } = await add();
    const [closed] = ports.splice(0, 1);
    const { deliveryId } = await test(id);
    const { attempts } = await settled(id, deliveryId, 'failed');
    ports.push(closed ?? 0);
    expect(attempts).toMatchObject([{ status: null, problem: expect.stringContaining('to port 443 only') }]);
  });

  it('is signed with both secrets for 24 hours after a change, then with the new one', async () => {
    const { id, secret } = await add();
    const { secret: next } = await person.client.call('changeWebhookSecret', {
      params: { clusterId, webhookId: id },
    });
    const { deliveryId } = await test(id);
    await settled(id, deliveryId, 'delivered');
    const [both] = ofDelivery(deliveryId);
    if (both === undefined) throw new Error('Nothing came.');
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    verify(secret, both);
    verify(next, both);
    await console.store.db
      .update(webhooks)
      .set({ previousUntil: new Date(Date.now() - 1).toISOString() })
      .where(eq(webhooks.id, id));
    const second = await test(id);
    await settled(id, second.deliveryId, 'delivered');
    const [one] = ofDelivery(second.deliveryId);
    if (one === undefined) throw new Error('Nothing came.');
    verify(next, one);
    expect(() => verify(secret, one)).toThrow();
  });

  it('keeps both secrets before where it is changed twice, and a third change waits', async () => {
    const { id, secret } = await add();
    const change = () => person.client.call('changeWebhookSecret', { params: { clusterId, webhookId: id } });
    const { secret: next } = await change();
    const { secret: last } = await change();
    const { deliveryId } = await test(id);
    await settled(id, deliveryId, 'delivered');
    const [sent] = ofDelivery(deliveryId);
    if (sent === undefined) throw new Error('Nothing came.');
    for (const good of [secret, next, last]) verify(good, sent);
    await expect(change()).rejects.toMatchObject({ status: 409 });
    await console.store.db
      .update(webhooks)
      .set({ olderUntil: new Date(Date.now() - 1).toISOString() })
      .where(eq(webhooks.id, id));
    await expect(change()).resolves.toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  });

  it('of somebody else, or on another cluster, is not there', async () => {
    const { id } = await add();
    expect(await list(other)).toEqual([]);
    for (const name of ['deleteWebhook', 'testWebhook', 'webhookDeliveries', 'changeWebhookSecret'] as const)
      await expect(other.client.call(name, { params: { clusterId, webhookId: id } })).rejects.toMatchObject({
        status: 404,
      });
    expect(await list()).toHaveLength(1);
    await person.client.call('deleteWebhook', { params: { clusterId, webhookId: id } });
    expect(await list()).toEqual([]);
  });

  it('takes secrets of its owner if they are some, and there are ten at most', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    expect((await add({ secret })).secret).toBe(secret);
    for (const wrong of ['whsec_short', secret.slice(6), `whsec_${Buffer.alloc(65).toString('base64')}`])
      await expect(add({ secret: wrong })).rejects.toMatchObject({ status: 400 });
    for (let index = 1; index < 10; index += 1) await add();
    await expect(add()).rejects.toMatchObject({ status: 409 });
  });

  it('is written as Slack and Teams take it', async () => {
    for (const [format, shape] of [
      ['slack', { text: expect.stringContaining('|Open in Wheelhouse>') }],
      ['teams', { type: 'message', attachments: [{ content: { type: 'AdaptiveCard' } }] }],
    ] as const) {
      const { id } = await add({ format });
      const { deliveryId } = await test(id);
      await settled(id, deliveryId, 'delivered');
      expect(JSON.parse(ofDelivery(deliveryId)[0]?.body ?? '')).toMatchObject(shape);
    }
  });
});

describe('a delivery that fails', () => {
  /** Queues a message that is no test, at a step of its tries. */
  async function queued(webhookId: string, step = 0): Promise<string> {
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
  }, 30_000);

  it('by a redirect is not followed', async () => {
    const { id } = await add();
    receiver.answer({ status: 302, headers: { location: `${receiver.url}/elsewhere` } });
    const { deliveryId } = await test(id);
    const { attempts } = await settled(id, deliveryId, 'failed');
    expect(attempts).toMatchObject([
      { status: 302, problem: expect.stringContaining('redirects are not followed') },
    ]);
    expect(receiver.received.some(({ path }) => path.includes('elsewhere'))).toBe(false);
  });

  it('with 410 disables its webhook, which is enabled again by a change', async () => {
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
      title: expect.stringContaining('1,000 deliveries of this webhook wait to be sent'),
    });
  });

  it('is found in the log page by page, the newest first, each once', async () => {
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
    const { id } = await add();
    const old = await test(id);
    const fresh = await test(id);
    await console.store.db
      .update(webhookDeliveries)
      .set({ createdAt: sql`now() - interval '31 days'` })
      .where(eq(webhookDeliveries.id, old.deliveryId));
    await forgetOldRows(console.store.db);
    expect((await deliveries(id)).map((one) => one.id)).toEqual([fresh.deliveryId]);
  });

  it('waits as long as a busy receiver asks', async () => {
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
    expect((await list())[0]?.disabledReason).toContain('Every try of three days failed');
  }, 20_000);

  it('of somebody who lost the cluster is dropped unsent', async () => {
    const { id } = await add();
    await console.store.db.execute(sql`delete from team_members where user_id = ${person.id}`);
    await expectDropped(id);
  }, 20_000);

  it.each<readonly [string, (owner: TestClient, teamId: number) => Promise<unknown>]>([
    [
      'the place in the team',
      (owner, teamId) => owner.call('removeTeamMember', { params: { teamId, userId: person.id } }),
    ],
    [
      'the membership for a while',
      (owner) => owner.call('changeMember', { params: { userId: person.id }, body: { isSuspended: true } }),
    ],
  ])(
    'is sent by neither of two servers once %s was taken away on one',
    async (what, take) => {
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
    const { id } = await add();
    const { db } = console.store;
    await db.execute(sql`update memberships set org_role = ${orgRoles.Owner} where user_id = ${person.id}`);
    await db.execute(sql`update companies set owners_use_passkeys = true where id = ${companyId}`);
    try {
      await expectDropped(id);
    } finally {
      await db.execute(sql`update companies set owners_use_passkeys = false where id = ${companyId}`);
    }
  }, 20_000);

  async function expectDropped(id: string, count = 1): Promise<void> {
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
