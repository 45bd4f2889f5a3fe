import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkoutFramePath } from '../../../src/contract/subscription.ts';
import { TestPages } from '../../../src/server/billing/test-page.ts';
import type { TestProvider } from '../../../src/server/billing/test-provider.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { send } from '../http-client.ts';

const failed = 'Failed to complete the subscription process. Please contact support.';

let console: TestConsole;

beforeAll(async () => {
  console = await startConsole({ config: { billing: { kind: 'test' } } });
});
afterAll(() => console.close());

const newOwner = async () => {
  const companyId = await console.company();
  return { ...(await console.person({ companyId, isOwner: true })), companyId };
};
const checkout = (owner: TestPerson, seats = 3, planId = 'team-monthly') =>
  owner.client.call('checkout', { query: { planId, seats } });
const pressed = async (url: string, act: 'pay' | 'cancel') => {
  const { origin, pathname } = new URL(url);
  return await send(origin, 'POST', `${pathname}/${act}`);
};
const process = (person: TestPerson, hostedPageId: string) =>
  person.client.call('processCallback', { body: { hostedPageId } });
const stateOf = async (person: TestPerson) => await person.client.call('subscription', {});
const activations = async (companyId: number) =>
  await console.store.db
    .select()
    .from(auditRows)
    .where(and(eq(auditRows.companyId, companyId), eq(auditRows.action, 'subscription.activate')));

describe('the test mode of billing', () => {
  it('sells a plan from the offer to the plan page, and says so once in the audit', async () => {
    const owner = await newOwner();
    const plans = await owner.client.call('plans', {});
    expect(plans.map(({ currency }) => currency)).toContain('JPY');
    expect((await owner.client.call('consoleConfig', {})).hasBilling).toBe(true);
    expect((await stateOf(owner)).plan).toBeNull();
    const { url, hostedPageId } = await checkout(owner);
    const page = await send(new URL(url).origin, 'GET', new URL(url).pathname);
    expect(page.text).toContain('Test mode: nothing is charged.');
    expect(page.text).toContain('$27.00');
    expect(page.headers['set-cookie']).toBeUndefined();
    await expect(process(owner, hostedPageId)).rejects.toMatchObject({ status: 409, title: failed });
    expect((await pressed(url, 'pay')).text).toContain('data-outcome="succeeded"');
    await process(owner, hostedPageId);
    await process(owner, hostedPageId);
    expect(await stateOf(owner)).toMatchObject({
      isTest: true,
      plan: { name: 'Team', state: 'active', seats: 3, endsAt: null },
      seats: { used: 1, allowed: 3, members: 1, invitations: 0 },
      clusters: { used: 0, allowed: 10 },
      retention: { days: null, allowed: 365 },
      owners: ['Robin Example'],
    });
    expect(await activations(owner.companyId)).toHaveLength(1);
    const { next, invoices } = await owner.client.call('invoices', {});
    expect(next).toMatchObject({ amount: 2_700, currency: 'USD' });
    expect(invoices).toHaveLength(1);
    const portal = await owner.client.call('billingPortal', {});
    expect(new URL(portal.url).origin).toBe(new URL(url).origin);
    const cancelled = await owner.client.call('cancelSubscription', {});
    expect(cancelled.plan).toMatchObject({ state: 'ending', nextBillingAt: null });
    expect(cancelled.plan?.endsAt).not.toBeNull();
  });

  it('activates what was paid in a tab that said nothing', async () => {
    const owner = await newOwner();
    const { url } = await checkout(owner);
    await pressed(url, 'pay');
    await vi.waitUntil(async () => (await stateOf(owner)).plan?.state === 'active', {
      timeout: 30_000,
      interval: 500,
    });
  });

  it('refuses in words what was cancelled, is unknown, or belongs to another organisation', async () => {
    const owner = await newOwner();
    const stranger = await newOwner();
    const { url, hostedPageId } = await checkout(owner);
    await expect(process(stranger, hostedPageId)).rejects.toMatchObject({
      status: 404,
      title: failed,
      detail: 'This payment page belongs to another organisation.',
    });
    await pressed(url, 'cancel');
    await expect(process(owner, hostedPageId)).rejects.toMatchObject({
      status: 410,
      title: failed,
      detail: 'This payment page was cancelled, and nothing was paid. Choose a plan again.',
    });
    // What was given up cannot be paid afterwards.
    await pressed(url, 'pay');
    await expect(process(owner, hostedPageId)).rejects.toMatchObject({ status: 410 });
    expect((await stateOf(owner)).plan).toBeNull();
  });

  it('counts empty seats as one, and names the number that is needed', async () => {
    const owner = await newOwner();
    await owner.client.call('checkout', { query: { planId: 'team-monthly', seats: '' } });
    await console.person({ companyId: owner.companyId });
    await owner.client.call('invite', { body: { email: 'kim@example.org', orgRole: 2, teams: [] } });
    await expect(checkout(owner, 2)).rejects.toMatchObject({
      status: 409,
      title: 'Your organisation needs at least 3 seats: 2 members and 1 pending invitation take one each.',
    });
  });

  it('frames the checkout in a sandboxed document that alone names other hosts', async () => {
    const owner = await newOwner();
    const { url } = await checkout(owner);
    const frame = await send(console.url, 'GET', checkoutFramePath, {
      headers: { host: new URL(console.url).host },
    });
    const policy = String(frame.headers['content-security-policy']);
    expect(policy).toContain(`frame-src ${new URL(url).origin};`);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toMatch(/sandbox (?!.*allow-same-origin)/);
    expect(frame.headers['x-frame-options']).toBe('SAMEORIGIN');
    const other = await owner.client.send('GET', '/api/config');
    expect(String(other.headers['content-security-policy'])).not.toContain(new URL(url).host);
    // Whether the window of a checkout is closed can be seen only so.
    expect(other.headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
  });

  it('has its pages where the operator says, behind a proxy on a port of their own', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    taken.close();
    await once(taken, 'close');
    const provider = { testPage: async () => await Promise.resolve(undefined) } as unknown as TestProvider;
    const pages = new TestPages(() => provider, { origin: 'https://pay.example', port });
    await pages.start('127.0.0.1');
    expect(pages.origin()).toBe('https://pay.example');
    const answer = await send(`http://127.0.0.1:${port}`, 'GET', '/pages/made-up');
    await pages.close();
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('This payment page does not exist.');
  });

  it('takes no call that comes from the origin of its pages', async () => {
    const owner = await newOwner();
    const { url, hostedPageId } = await checkout(owner);
    await pressed(url, 'pay');
    const answer = await owner.client.send(
      'POST',
      '/api/subscription/process-callback',
      {
        hostedPageId,
      },
      { headers: { origin: new URL(url).origin, 'sec-fetch-site': 'same-site' } },
    );
    expect(answer.status).toBe(403);
  });
});
