import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chargebeeWebhookPath } from '../../../src/server/http/billing-webhook.ts';
import { billingEvents } from '../../../src/server/store/schema/billing.ts';
import { startConsole, type TestConsole } from '../harness.ts';
import { send } from '../http-client.ts';
import { ChargebeeDouble } from './chargebee-double.ts';

let double: ChargebeeDouble;
let console: TestConsole;
beforeAll(async () => {
  double = await ChargebeeDouble.start();
  console = await startConsole({ config: { billing: double.settings() } });
});
afterAll(async () => {
  await console.close();
  await double.close();
});

/** The credential of the webhook of these settings. */
const credentials = () => {
  const { webhook } = double.settings();
  if (webhook === null) throw new Error('There is no webhook.');
  return webhook;
};
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

let events = 0;
const newEvent = () => `forged_${(events += 1)}`;
const eventOf = (id: string, subscription: object, more: object = {}) => ({
  id,
  api_version: 'v2',
  event_type: 'subscription_changed',
  content: { subscription },
  ...more,
});
const post = async (body: unknown, headers: Readonly<Record<string, string>>) =>
  await send(console.url, 'POST', chargebeeWebhookPath, {
    headers: { host: new URL(console.url).host, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const stored = async (id: string) =>
  await console.store.db.select().from(billingEvents).where(eq(billingEvents.id, id));
const done = async (id: string) =>
  await vi.waitUntil(async () => (await stored(id))[0]?.doneAt != null, { timeout: 60_000 });

/** An Owner whose company has paid for three seats. */
const subscriber = async () => {
  const companyId = await console.company();
  const { client } = await console.person({ companyId, isOwner: true });
  const query = { planId: 'team-EUR-Monthly', seats: 3 };
  const { hostedPageId } = await client.call('checkout', { query });
  const subscription = double.pay(hostedPageId);
  await client.call('processCallback', { body: { hostedPageId } });
  return { client, subscription, plan: async () => (await client.call('subscription', {})).plan };
};

describe('an event that Chargebee did not send', () => {
  it('is refused unread without the password, whoever is signed in', async () => {
    const { client, subscription } = await subscriber();
    const { user, password } = credentials();
    const token = await client.call('createToken', { body: { name: 'script', scopes: ['pods.view'] } });
    for (const headers of [
      {},
      { cookie: client.cookie, 'x-xsrf-token': client.cookies.get(client.xsrfCookie) ?? '' },
      { authorization: `Bearer ${token.secret}` },
      { authorization: `Bearer ${password}` },
      { authorization: basic(user, '') },
      { authorization: basic('', password) },
      { authorization: basic(password, user) },
      { authorization: basic(user, `${password}\0`) },
      { authorization: basic(user, password.toUpperCase()) },
      { authorization: `${basic(user, password)}, ${basic(user, 'x')}` },
    ] as const) {
      const id = newEvent();
      const answer = await post(eventOf(id, subscription), headers);
      expect(answer.status, JSON.stringify(headers)).toBe(401);
      expect(await stored(id)).toEqual([]);
    }
    // Nor is what it says looked at: a body that cannot be read is refused for the password alone.
    expect((await post('{"id":', {})).status).toBe(401);
    expect(JSON.stringify(console.log)).not.toContain(password);
  });

  it('changes nothing by what it says, with the password too: Chargebee is asked', async () => {
    const { subscription, plan } = await subscriber();
    const { user, password } = credentials();
    const headers = { authorization: basic(user, password) };
    const before = await plan();
    const said = {
      ...subscription,
      status: 'active',
      plan_quantity: 9_999,
      subscription_items: [{ item_price_id: 'team-EUR-Monthly', item_type: 'plan', quantity: 9_999 }],
      customer_id: 'another customer',
    };
    const [more, cancelled] = [newEvent(), newEvent()];
    expect((await post(eventOf(more, said), headers)).status).toBe(204);
    expect(
      (
        await post(
          eventOf(cancelled, { ...said, status: 'cancelled' }, { event_type: 'subscription_deleted' }),
          headers,
        )
      ).status,
    ).toBe(204);
    await done(more);
    await done(cancelled);
    expect(await plan()).toEqual(before);
  });

  it('gives one organisation nothing of the subscription of another, nor of one that nobody has', async () => {
    const one = await subscriber();
    const other = await subscriber();
    const headers = { authorization: basic(credentials().user, credentials().password) };
    const [before, beside] = [await one.plan(), await other.plan()];
    for (const subscription of [
      { ...other.subscription, customer_id: one.subscription.customer_id },
      { ...one.subscription, id: 'sub_of_nobody' },
    ]) {
      const id = newEvent();
      expect((await post(eventOf(id, subscription), headers)).status).toBe(204);
      await done(id);
    }
    expect([await one.plan(), await other.plan()]).toEqual([before, beside]);
  });

  it.each([
    ['a path for an id', { id: 'forged-path', content: { subscription: { id: '../customers' } } }],
    ['a list for an id', { id: 'forged-list', content: { subscription: { id: ['a', 'b'] } } }],
    ['an id of its own that is a path', { id: '../../x', content: { subscription: { id: 'a' } } }],
    ['no content', { id: 'forged-none' }],
    ['a list', []],
    ['null', null],
  ])('is none with %s, and nothing is stored', async (_what, body) => {
    const headers = { authorization: basic(credentials().user, credentials().password) };
    const before = await console.store.db.$count(billingEvents);
    expect((await post(body, headers)).status).toBe(400);
    expect(await console.store.db.$count(billingEvents)).toBe(before);
  });

  it('that is as large as memory is refused for its length', async () => {
    const headers = { authorization: basic(credentials().user, credentials().password) };
    const id = newEvent();
    const answer = await post(eventOf(id, { id: 'a', note: 'x'.repeat(600 * 1024) }), headers);
    expect(answer.status).toBe(413);
    expect(await stored(id)).toEqual([]);
  });
});
