import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { happenings, webhookDeliveries, webhooks } from '../../../src/server/store/schema/webhooks.ts';
import { shareWebhooks, verify } from './webhook-lab.ts';

const lab = shareWebhooks();
const { add, deliveries, list, ofDelivery, settled, test } = lab;

describe('a webhook', () => {
  it('gets a message that an independent implementation of Standard Webhooks verifies', async () => {
    const { clusterId } = lab.shared;
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
    const { console, receiver, clusterId } = lab.shared;
    const { person } = lab.people;
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
    const { console, receiver, second, clusterId } = lab.shared;
    const { person } = lab.people;
    const { id } = await add();
    await console.store.db.execute(
      sql`update sessions set proved_at = now() - interval '1 day' where user_id = ${person.id}`,
    );
    const params = { clusterId, webhookId: id };
    const body = { events: ['job.failed' as const], format: 'slack' as const };
    for (const attempt of [
      () => add(),
      () => person.client.call('changeWebhook', { params, body: { ...body, url: second.url } }),
      () => person.client.call('changeWebhook', { params, body }),
      () => person.client.call('changeWebhookSecret', { params }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 403, code: 'identity-not-confirmed' });
    expect(await list()).toMatchObject([{ origin: new URL(receiver.url).origin, previousUntil: null }]);
    const [before] = await list();
    await console.store.db.execute(sql`update sessions set proved_at = now() where user_id = ${person.id}`);
    expect(await person.client.call('changeWebhook', { params, body })).toMatchObject({ format: 'slack' });
    const { rows } = await console.store.db.execute<{ changes: unknown }>(
      sql`select changes from audit where action = 'changeWebhook' and status = 200 order by id desc limit 1`,
    );
    expect(rows[0]?.changes).toEqual({ format: { before: before?.format, after: 'slack' } });
  });

  it('logs no delivery of what its owner may not hear of any more', async () => {
    const { console, companyId, clusterId } = lab.shared;
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
    const { receiver, second, clusterId } = lab.shared;
    const { other } = lab.people;
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
  });

  it('is judged by the open ports of each moment', async () => {
    const { ports } = lab.shared;
    const { id } = await add();
    const [closed] = ports.splice(0, 1);
    const { deliveryId } = await test(id);
    const { attempts } = await settled(id, deliveryId, 'failed');
    ports.push(closed ?? 0);
    expect(attempts).toMatchObject([{ status: null, problem: expect.stringContaining('to port 443 only') }]);
  });

  it('is signed with both secrets for 24 hours after a change, then with the new one', async () => {
    const { console, clusterId } = lab.shared;
    const { person } = lab.people;
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
    const { console, clusterId } = lab.shared;
    const { person } = lab.people;
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
    const { clusterId } = lab.shared;
    const { person, other } = lab.people;
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
