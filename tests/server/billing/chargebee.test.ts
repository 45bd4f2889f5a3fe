import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkoutFramePath } from '../../../src/contract/subscription.ts';
import { ChargebeeProvider } from '../../../src/server/billing/chargebee.ts';
import { PlanOffer } from '../../../src/server/billing/offer.ts';
import { Settlement } from '../../../src/server/billing/settlement.ts';
import { chargebeeWebhookPath } from '../../../src/server/http/billing-webhook.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { billingEvents } from '../../../src/server/store/schema/billing.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { clockAt } from '../clock-at.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { send } from '../http-client.ts';
import { ChargebeeDouble } from './chargebee-double.ts';
import { type Clock, systemClock } from '../../../src/server/kit/clock.ts';

const failed = 'Failed to complete the subscription process. Please contact support.';

let double: ChargebeeDouble;
/** Two servers over one database. */
let here: TestConsole;
let there: TestConsole;
/** How far the clock of the other server is ahead, ms. */
let ahead = 0;

beforeAll(async () => {
  double = await ChargebeeDouble.start();
  here = await startConsole({ config: { billing: double.settings() } });
  const { databaseUrl } = here.services.config;
  there = await startConsole({
    config: { databaseUrl, billing: double.settings(false) },
    clock: clockAt(() => Date.now() + ahead),
  });
});
beforeEach(() => {
  double.isDown = false;
});
afterAll(async () => {
  await there.close();
  await here.close();
  await double.close();
});

const newOwner = async () => {
  const companyId = await here.company();
  return { ...(await here.person({ companyId, isOwner: true })), companyId };
};
const checkout = (owner: TestPerson, seats = 3) =>
  owner.client.call('checkout', { query: { planId: 'team-EUR-Monthly', seats } });
const process = (person: Pick<TestPerson, 'client'>, hostedPageId: string) =>
  person.client.call('processCallback', { body: { hostedPageId } });
const planOf = async (person: TestPerson) => (await person.client.call('subscription', {})).plan;
const activations = async (companyId: number) =>
  await here.store.db
    .select()
    .from(auditRows)
    .where(and(eq(auditRows.companyId, companyId), eq(auditRows.action, 'subscription.activate')));
const eventDone = async (id: string) =>
  await vi.waitUntil(
    async () => {
      const [row] = await here.store.db.select().from(billingEvents).where(eq(billingEvents.id, id));
      return row?.doneAt != null;
    },
    { timeout: 60_000 },
  );
/** An Owner whose company has paid for three seats. */
const subscriber = async () => {
  const owner = await newOwner();
  const { hostedPageId } = await checkout(owner);
  const subscription = double.pay(hostedPageId);
  await process(owner, hostedPageId);
  return { ...owner, subscription };
};

let events = 0;
const newEvent = () => `ev_${(events += 1)}`;

describe('Chargebee, by its own SDK', () => {
  it('offers what is paid by the seat, with the limits of its metadata', async () => {
    const owner = await newOwner();
    expect(await owner.client.call('plans', {})).toEqual([
      {
        id: 'team-EUR-Monthly',
        name: 'Team',
        price: 1_250,
        currency: 'EUR',
        billingPeriodUnit: 'month',
        billingPeriod: 1,
        description: 'For teams.',
        clusters: 2,
        retentionDays: 30,
      },
      expect.objectContaining({ id: 'open-EUR-Monthly', clusters: null, retentionDays: null }),
    ]);
    expect(await owner.client.call('subscriptionConfig', {})).toEqual({ chargebeeSiteName: '127' });
  });

  it('sells, shows invoices, changes seats, opens its portal and cancels', async () => {
    const owner = await subscriber();
    expect(await planOf(owner)).toMatchObject({ name: 'Team', state: 'active', seats: 3 });
    expect(await owner.client.call('invoices', {})).toMatchObject({
      next: { amount: 3_750, currency: 'EUR' },
      invoices: [{ id: 'inv-1', state: 'paid' }],
    });
    const { customer_id: customer, id } = owner.subscription;
    expect((await owner.client.call('billingPortal', {})).url).toBe(`https://portal.example/${customer}`);
    const more = await checkout(owner, 7);
    expect(double.pages.get(more.hostedPageId)?.wish.get('subscription[id]')).toBe(id);
    double.pay(more.hostedPageId);
    await process(owner, more.hostedPageId);
    expect(await planOf(owner)).toMatchObject({ seats: 7 });
    const cancelled = await owner.client.call('cancelSubscription', {});
    expect(cancelled.plan).toMatchObject({ state: 'ending', nextBillingAt: null });
    // Chosen anew before its end, it goes on.
    const again = await checkout(owner, 2);
    double.pay(again.hostedPageId);
    await process(owner, again.hostedPageId);
    expect(await planOf(owner)).toMatchObject({ state: 'active', seats: 2, endsAt: null });
  });

  it('stays cancelled, whatever was opened before it was', async () => {
    const owner = await subscriber();
    const left = await checkout(owner, 5);
    double.pay((await checkout(owner, 4)).hostedPageId);
    const { plan } = await owner.client.call('cancelSubscription', {});
    // What is paid counts before the cancellation.
    expect(plan).toMatchObject({ state: 'ending', seats: 4 });
    double.pay(left.hostedPageId);
    await process(owner, left.hostedPageId);
    expect(await planOf(owner)).toMatchObject({ state: 'ending', seats: 5 });
  });

  it('is not left to charge an organisation that is deleted', async () => {
    const owner = await subscriber();
    const { companyName: name } = await owner.client.call('currentUser', {});
    const remove = () => owner.client.call('deleteCompany', { body: { name } });
    await expect(remove()).rejects.toMatchObject({
      status: 409,
      title: expect.stringContaining('Cancel the plan in the settings') as unknown,
    });
    await owner.client.call('cancelSubscription', {});
    const { hostedPageId } = await checkout(owner);
    await expect(remove()).rejects.toMatchObject({
      status: 409,
      title: expect.stringMatching(/^A payment page .* can be paid until \d\d:\d\d UTC/) as unknown,
    });
    Object.assign(double.pages.get(hostedPageId) ?? {}, { state: 'cancelled' });
    await expect(process(owner, hostedPageId)).rejects.toMatchObject({ status: 410 });
    await remove();
  });

  it('names its hosts in the answer of the checkout alone', async () => {
    const owner = await newOwner();
    const frame = await send(here.url, 'GET', checkoutFramePath, {
      headers: { host: new URL(here.url).host },
    });
    const { port } = double.settings().hosts;
    expect(String(frame.headers['content-security-policy'])).toContain(`frame-src http://127.0.0.1:${port}`);
    const other = await owner.client.send('GET', '/api/config');
    expect(String(other.headers['content-security-policy'])).not.toContain(String(port));
    expect(String(other.headers['content-security-policy'])).toContain("frame-src 'self'");
  });
});

describe('a payment page', () => {
  it('is finished once, whoever comes: two servers, twice, and a webhook', async () => {
    const owner = await newOwner();
    const elsewhere = { client: await there.session(owner.id, owner.companyId) };
    const { hostedPageId } = await checkout(owner);
    const subscription = double.pay(hostedPageId);
    const event = newEvent();
    await Promise.all([
      process(owner, hostedPageId),
      process(elsewhere, hostedPageId),
      process(owner, hostedPageId),
      double.tell(here.url, event, subscription),
    ]);
    await eventDone(event);
    expect(await activations(owner.companyId)).toHaveLength(1);
    expect(await planOf(owner)).toMatchObject({ state: 'active', seats: 3 });
  });

  it('is finished by a webhook although no browser says so', async () => {
    const owner = await newOwner();
    const { hostedPageId } = await checkout(owner);
    const event = newEvent();
    await double.tell(here.url, event, double.pay(hostedPageId));
    await eventDone(event);
    expect(await planOf(owner)).toMatchObject({ state: 'active' });
  });

  const refused: readonly [string, number, string, (pageId: string) => void][] = [
    ['not paid', 409, 'This payment page has not been paid.', () => undefined],
    [
      'cancelled',
      410,
      'This payment page was cancelled, and nothing was paid. Choose a plan again.',
      (id) => Object.assign(double.pages.get(id) ?? {}, { state: 'cancelled' }),
    ],
    [
      'expired',
      410,
      'This payment page has expired, and nothing was paid. Choose a plan again.',
      (id) => Object.assign(double.pages.get(id) ?? {}, { expires_at: 1 }),
    ],
    [
      'provider does not know',
      410,
      'This payment page has expired, and nothing was paid. Choose a plan again.',
      (id) => double.pages.delete(id),
    ],
    [
      'paid for the subscription of somebody else',
      410,
      'This payment page was cancelled, and nothing was paid. Choose a plan again.',
      (id) => double.pay(id, 'wheelhouse-somebody-else-1'),
    ],
  ];
  it.each(refused)('that is %s activates nothing, and says why', async (_name, status, detail, happen) => {
    const owner = await newOwner();
    const { hostedPageId } = await checkout(owner);
    happen(hostedPageId);
    await expect(process(owner, hostedPageId)).rejects.toMatchObject({ status, title: failed, detail });
    expect(await planOf(owner)).toBeNull();
    expect(await activations(owner.companyId)).toEqual([]);
  });

  it('stays open while Chargebee does not find what was paid', async () => {
    const owner = await newOwner();
    const { hostedPageId } = await checkout(owner);
    const { id } = double.pay(hostedPageId);
    double.hidden.add(id);
    await expect(process(owner, hostedPageId)).rejects.toMatchObject({ status: 502, title: failed });
    double.hidden.delete(id);
    await process(owner, hostedPageId);
    expect(await planOf(owner)).toMatchObject({ state: 'active' });
  });

  it('of another organisation is none, for its people and for whoever makes up an id', async () => {
    const owner = await newOwner();
    const stranger = await newOwner();
    const { hostedPageId } = await checkout(owner);
    double.pay(hostedPageId);
    for (const id of [hostedPageId, 'made-up'])
      await expect(process(stranger, id)).rejects.toMatchObject({ status: 404, title: failed });
    expect(await planOf(stranger)).toBeNull();
  });
});

describe('events of Chargebee', () => {
  it.each([
    ['in order', [0, 1, 2]],
    ['reversed', [2, 1, 0]],
    ['each twice', [0, 0, 1, 1, 2, 2]],
    ['the newest first and again', [2, 0, 2, 1]],
  ])('end in the newest state: %s', async (_name, order) => {
    const owner = await subscriber();
    const { id } = owner.subscription;
    const changes = [4, 5, 6].map((quantity) => ({
      event: newEvent(),
      after: double.change(id, {
        subscription_items: [{ item_price_id: 'team-EUR-Monthly', item_type: 'plan', quantity }],
      }),
    }));
    for (const index of order) {
      const change = changes[index];
      if (change === undefined) throw new Error('There is no such change.');
      expect((await double.tell(here.url, change.event, change.after)).status).toBe(204);
    }
    for (const index of new Set(order)) await eventDone(changes[index]?.event ?? '');
    expect(await planOf(owner)).toMatchObject({ seats: 6 });
    // An answer that is older than what is known, as a replica of the provider may give it.
    const event = newEvent();
    double.change(id, { status: 'cancelled', resource_version: 1 });
    await double.tell(here.url, event, { id, resource_version: 9_999_999 });
    await eventDone(event);
    expect(await planOf(owner)).toMatchObject({ seats: 6, state: 'active' });
  });

  it('are believed by user and password alone, and without them there is no route', async () => {
    const { subscription } = await subscriber();
    const wrong = await double.tell(here.url, newEvent(), subscription, { password: 'another password' });
    expect(wrong.status).toBe(401);
    expect((await double.tell(there.url, newEvent(), subscription)).status).toBe(404);
    const bare = await send(there.url, 'POST', chargebeeWebhookPath, {
      headers: { host: new URL(there.url).host },
    });
    expect(bare.status).toBe(404);
  });

  it('are counted with the guesses at the password, which are refused unread from then on', async () => {
    const guessed = await startConsole({
      config: { billing: double.settings() },
    });
    const tell = async (password?: string) => {
      const subscription = { id: 'guessed', resource_version: 1 };
      return (await double.tell(guessed.url, newEvent(), subscription, { password })).status;
    };
    const guesses = await Promise.all(Array.from({ length: 320 }, (_, index) => tell(`guess ${index}`)));
    expect(guesses.filter((status) => status === 401)).toHaveLength(300);
    expect(guesses.filter((status) => status === 429)).toHaveLength(20);
    // A password that is found then is not told from a wrong one.
    expect(await tell()).toBe(429);
    await guessed.close();
  });

  it('wait while Chargebee does not answer', async () => {
    const owner = await subscriber();
    const event = newEvent();
    const after = double.change(owner.subscription.id, { status: 'cancelled', cancelled_at: 1_700_000_000 });
    double.isDown = true;
    await double.tell(here.url, event, after);
    await vi.waitUntil(
      async () => {
        const [row] = await here.store.db.select().from(billingEvents).where(eq(billingEvents.id, event));
        return (row?.tries ?? 0) > 0;
      },
      { timeout: 60_000 },
    );
    expect(await planOf(owner)).toMatchObject({ state: 'active' });
    double.isDown = false;
    await eventDone(event);
    expect(await planOf(owner)).toMatchObject({ state: 'ended', endsAt: '2023-11-14T22:13:20.000Z' });
  });
});

describe('a provider that does not answer', () => {
  it('is said in the words of the specification, and the console goes on', async () => {
    const owner = await newOwner();
    const { hostedPageId } = await checkout(owner);
    double.isDown = true;
    // What it knows of the offer is too old.
    ahead = 120_000;
    const client = await there.session(owner.id, owner.companyId);
    const down = 'The payment provider does not respond.';
    await expect(client.call('plans', {})).rejects.toMatchObject({
      status: 502,
      title: 'Failed to load subscription plans. Please try again later.',
      detail: down,
    });
    await expect(checkout(owner)).rejects.toMatchObject({
      status: 502,
      title: 'Failed to generate checkout URL. Please try again.',
      detail: down,
    });
    await expect(process(owner, hostedPageId)).rejects.toMatchObject({ status: 502, title: failed });
    expect(await planOf(owner)).toBeNull();
    expect(await owner.client.call('clusters', {})).toEqual([]);
    expect(await owner.client.call('members', {})).toHaveLength(1);
    const told = JSON.stringify([here.log, there.log]);
    for (const secret of double.secrets) expect(told).not.toContain(secret);
  });
});

describe('what a plan allows', () => {
  const invite = (owner: TestPerson, email: string) =>
    owner.client.call('invite', { body: { email, orgRole: 2, teams: [] } });

  it('is met where somebody is invited, let in again or joins, with what it takes', async () => {
    const owner = await subscriber();
    const colleague = await here.person({ companyId: owner.companyId });
    await invite(owner, `${owner.companyId}-kim@example.org`);
    await expect(invite(owner, 'lee@example.org')).rejects.toMatchObject({
      status: 402,
      limit: 'members',
      title:
        'Your plan has 3 seats, which 2 members and 1 pending invitation take. An Owner can add seats in the settings, under Plan.',
    });
    const change = (isSuspended: boolean) =>
      owner.client.call('changeMember', { params: { userId: colleague.id }, body: { isSuspended } });
    await change(true);
    await invite(owner, `${owner.companyId}-lee@example.org`);
    // A pending invitation is a seat that is held, not taken: whoever comes first has it.
    await change(false);
    await here.person({ companyId: owner.companyId });
    const kim = await here.person({ companyId: null, email: `${owner.companyId}-kim@example.org` });
    await here.store.db.execute(`update users set email_proven_at = now() where id = ${kim.id}`);
    const [waiting] = await kim.client.call('pendingInvitations', {});
    const accept = () => kim.client.call('acceptInvitation', { body: { inviteId: waiting?.inviteId ?? 0 } });
    await expect(accept()).rejects.toMatchObject({ status: 402, limit: 'members' });
    const { hostedPageId } = await checkout(owner, 5);
    double.pay(hostedPageId);
    await process(owner, hostedPageId);
    await accept();
  });

  it('is met where a cluster is added, before anything reaches it, and says so in a batch too', async () => {
    const owner = await subscriber();
    for (const name of ['a', 'b'])
      await here.store.db.insert(clusters).values({
        companyId: owner.companyId,
        name,
        source: 'kubeconfig',
        server: 'https://10.255.0.1',
        colour: 1,
      });
    const input = {
      name: 'c',
      description: '',
      kubeConfigContent: JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'one',
        contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
        clusters: [{ name: 'one', cluster: { server: 'https://10.255.0.1' } }],
        users: [{ name: 'one', user: { token: 'none' } }],
      }),
    };
    const reached = {
      status: 402,
      limit: 'clusters',
      title:
        'Your plan allows 2 clusters, and your organisation has 2. An Owner can choose another plan in the settings, under Plan.',
    };
    await expect(owner.client.call('addCluster', { body: input })).rejects.toMatchObject(reached);
    await expect(owner.client.call('addClusters', { body: { clusters: [input] } })).rejects.toMatchObject(
      reached,
    );
    expect((await owner.client.call('subscription', {})).clusters).toEqual({ used: 2, allowed: 2 });
  });

  it('is met where the audit is to be kept for longer, and shortening is always free', async () => {
    const owner = await subscriber();
    const keep = (days: number | null) => owner.client.call('changeAuditSettings', { body: { days } });
    // What was for ever before stays so until somebody changes it.
    await keep(null);
    await keep(400);
    await keep(30);
    await expect(keep(31)).rejects.toMatchObject({
      status: 402,
      limit: 'retention',
      title:
        'Your plan keeps the audit for up to 30 days. An Owner can choose another plan in the settings, under Plan.',
    });
  });

  it('is nothing more once the plan has ended: reading goes on, adding stops', async () => {
    const owner = await subscriber();
    const event = newEvent();
    const { id } = owner.subscription;
    await double.tell(
      here.url,
      event,
      double.change(id, { status: 'cancelled', cancelled_at: 1_700_000_000 }),
    );
    await eventDone(event);
    await expect(invite(owner, 'max@example.org')).rejects.toMatchObject({
      status: 402,
      limit: 'members',
      title:
        'The plan of your organisation has ended. Everything that exists keeps working, but nothing can be added. An Owner can choose a plan in the settings, under Plan.',
    });
    expect(await owner.client.call('members', {})).toHaveLength(1);
    expect(await owner.client.call('audit', { query: {} })).toMatchObject({
      entries: expect.any(Array) as unknown,
    });
    // The next one is another subscription, as the provider gives up none of its names.
    const { hostedPageId } = await checkout(owner);
    expect(double.pay(hostedPageId).id).not.toBe(id);
    await process(owner, hostedPageId);
    expect(await planOf(owner)).toMatchObject({ state: 'active' });
    await invite(owner, `${owner.companyId}-max@example.org`);
  });
});

describe('the poll', () => {
  const poll = async (clock: Clock = systemClock) => {
    const provider = new ChargebeeProvider(double.settings());
    const offer = new PlanOffer(provider, systemClock);
    const { store, services } = here;
    const settlement = new Settlement({ store, provider, offer, log: services.log, clock });
    await settlement.poll(new AbortController().signal);
  };

  it('reaches the newest pages although older ones always fail', async () => {
    const paid = async () => {
      const owner = await newOwner();
      return { owner, id: double.pay((await checkout(owner)).hostedPageId).id };
    };
    for (const _ of [1, 2, 3]) double.hidden.add((await paid()).id);
    const { owner } = await paid();
    await poll();
    expect(await planOf(owner)).toMatchObject({ state: 'active' });
    double.hidden.clear();
  });

  it('gives up what was paid for a subscription that is gone after 7 days, says so, and lets the organisation go', async () => {
    const owner = await newOwner();
    const { hostedPageId } = await checkout(owner);
    const { id } = double.pay(hostedPageId);
    double.hidden.add(id);
    const later = (days: number) => clockAt(() => Date.now() + days * 86_400_000);
    await here.store.db.execute(
      sql`update checkouts set expires_at = now() - interval '1 minute' where hosted_page_id = ${hostedPageId}`,
    );
    const { companyName: name } = await owner.client.call('currentUser', {});
    const remove = () => owner.client.call('deleteCompany', { body: { name } });
    await poll(later(6.9));
    await expect(remove()).rejects.toMatchObject({ status: 409 });
    await poll(later(7.1));
    await poll(later(7.1));
    const { companyId } = owner;
    const rows = await here.store.db
      .select()
      .from(auditRows)
      .where(and(eq(auditRows.companyId, companyId), eq(auditRows.action, 'subscription.abandon')));
    expect(rows).toMatchObject([{ subject: { page: hostedPageId, subscription: id }, status: 410 }]);
    double.hidden.delete(id);
    await expect(process(owner, hostedPageId)).rejects.toMatchObject({
      status: 410,
      title: failed,
      detail: expect.stringContaining(hostedPageId) as unknown,
    });
    await remove();
  });

  it('finds what changed although no webhook told of it, also where a plan had ended', async () => {
    const owner = await subscriber();
    const { id } = owner.subscription;
    const overlook = async (change: Parameters<typeof double.change>[1], age: string) => {
      double.change(id, change);
      await here.store.db.execute(
        `update subscriptions set checked_at = now() - interval '${age}' where subscription_id = '${id}'`,
      );
    };
    await overlook({ status: 'cancelled', cancelled_at: 1_700_000_000 }, '16 minutes');
    await poll();
    expect(await planOf(owner)).toMatchObject({ state: 'ended' });
    await overlook({ status: 'active', cancelled_at: undefined }, '25 hours');
    await poll();
    expect(await planOf(owner)).toMatchObject({ state: 'active' });
  });
});
