import type { Locator, Page } from 'playwright/test';
import { expectAccessible } from './axe.ts';
import type { Hands } from './hands.ts';
import { send } from '../server/http-client.ts';
import { companyName, eachHand, expect, ownClusters, owner, sharedApp } from './kit.ts';

const app = sharedApp({ ...ownClusters, WHEELHOUSE_BILLING: 'test' });

/** The dialog of the plans. */
const plansOf = (page: Page) => page.getByRole('dialog', { name: 'Select a Subscription Plan' });
/** The payment page of the test mode: in the frame of the checkout, which is sandboxed, is the frame of the other origin. */
const paymentOf = (page: Page) =>
  page.frameLocator('iframe[title=Checkout]').frameLocator('iframe[title="Test checkout"]');

/** Presses the button that pays, which stands in a frame: by keyboard the focus is walked into it. */
async function pay(button: Locator, hands: Hands): Promise<void> {
  if (hands.name === 'pointer') return await hands.press(button);
  const keys = button.page().keyboard;
  const walk = async () => {
    await keys.press('Tab');
    return await button.evaluate((element) => element === document.activeElement);
  };
  await expect.poll(walk).toBe(true);
  await keys.press('Enter');
}

for (const { by, it } of eachHand) {
  // Each another one: the second changes the plan of the first.
  const [name, seats, total] =
    by === 'pointer' ? (['Business (Japan)', 2, 'JP¥5,600'] as const) : (['Team', 3, 'US$27.00'] as const);
  /** Once is enough: what shows is the same by either hand. */
  const judge = async (page: Page, state: string) => {
    if (by === 'pointer') await expectAccessible(page, state);
  };
  it(`an Owner chooses a plan, pays for it in test mode, and sees it on its page (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    await app().enter(context);
    await page.goto(`${app().url}/settings?section=plan`);
    await expect(page.getByRole('heading', { name: 'Plan and invoices' })).toBeVisible();
    await hands.choose(page.getByRole('button', { name: /account of/ }), 'Plan');
    const plans = plansOf(page);
    await hands.press(plans.getByRole('button', { name: `Select Plan: ${name}` }));
    await expect(plans.getByRole('button', { name: `Selected: ${name}` })).toBeVisible();
    const field = plans.getByRole('textbox', { name: 'Seats' });
    await expect(field).toHaveValue('1');
    await hands.write(field, '0');
    await expect(plans.getByText('Enter at least 1 seat.')).toBeVisible();
    await hands.write(field, String(seats));
    await expect(plans.getByText(`${seats} seats: ${total} per month`)).toBeVisible();
    await judge(page, 'the plans');
    await hands.press(plans.getByRole('button', { name: 'Proceed to Checkout' }));

    const payment = paymentOf(page);
    const button = payment.getByRole('button', { name: 'Pay (test)' });
    await expect(button).toBeVisible();
    if (by === 'pointer') {
      // What is closed leads back to the plans, with what was chosen.
      await page.getByRole('dialog', { name: 'Checkout' }).getByRole('button', { name: 'Close' }).click();
      await expect(field).toHaveValue(String(seats));
      await plans.getByRole('button', { name: 'Proceed to Checkout' }).click();
      await expect(button).toBeVisible();

      // Nobody else finishes it: neither another origin about this page, nor the frame about another page.
      const [, paid] =
        /\/pages\/([\w-]+)/.exec(
          page
            .frames()
            .map((frame) => frame.url())
            .join(' '),
        ) ?? [];
      expect(paid).toBeDefined();
      await page.evaluate((hostedPageId) => {
        for (const message of [{ type: 'success', hostedPageId }, { type: 'closed' }])
          window.postMessage(message, '*');
      }, paid);
      await page
        .frameLocator('iframe[title=Checkout]')
        .locator('html')
        .evaluate(() => window.parent.postMessage({ type: 'success', hostedPageId: 'forged' }, '*'));
      await expectAccessible(page, 'the checkout');
      await expect(button).toBeVisible();
    }

    const reloaded = page.waitForEvent('load');
    await pay(button, hands);
    await reloaded;
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const plan = page.getByRole('region', { name: 'Plan', exact: true });
    await expect(plan.getByText(name, { exact: true })).toBeVisible();
    await expect(plan.getByText(String(seats), { exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Limits' }).getByText(`1 of ${seats}`)).toBeVisible();
    await expect(page.getByRole('list', { name: 'Invoices' }).getByText(total).first()).toBeVisible();
    await judge(page, 'the plan');
  });
}

for (const { by, it, handsOf } of eachHand) {
  const seats = by === 'pointer' ? 6 : 7;
  it(`on a narrow screen the checkout is a window of its own (${by})`, async ({ page, context, hands }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await app().enter(context);
    await page.goto(`${app().url}/settings?section=plan`);
    await hands.choose(page.getByRole('button', { name: /account of/ }), 'Plan');
    const plans = plansOf(page);
    await hands.press(plans.getByRole('button', { name: /^(?:Select Plan|Selected): Team$/ }));
    await hands.write(plans.getByRole('textbox', { name: 'Seats' }), String(seats));
    const proceed = async () => {
      const opened = page.waitForEvent('popup');
      await hands.press(plans.getByRole('button', { name: 'Proceed to Checkout' }));
      const checkout = await opened;
      const pay = checkout.getByRole('button', { name: 'Pay (test)' });
      await expect(pay).toBeVisible();
      await expect(page.getByText('The checkout is open in another window')).toBeVisible();
      return { checkout, pay };
    };
    if (by === 'pointer') {
      // Whoever closes it without paying is back at the plans, with what they chose.
      await (await proceed()).checkout.close();
      await expect(plans.getByText(/window of the checkout was closed/)).toBeVisible();
      await expect(plans.getByRole('textbox', { name: 'Seats' })).toHaveValue(String(seats));
    }
    const reloaded = page.waitForEvent('load');
    const { checkout, pay: button } = await proceed();
    await handsOf(checkout).press(button);
    await reloaded;
    const plan = page.getByRole('region', { name: 'Plan', exact: true });
    await expect(plan.getByText(String(seats), { exact: true })).toBeVisible();
  });
}

for (const { by, it } of eachHand) {
  it(`what was paid before a sign-in is completed after it (${by})`, async ({ page, hands }) => {
    const key = 'wheelhouse.pendingHostedPage';
    const planId = 'team-monthly';
    const seats = by === 'pointer' ? 4 : 5;
    const { url, hostedPageId } = await app().client.call('checkout', { query: { planId, seats } });
    const { origin, pathname } = new URL(url);
    expect((await send(origin, 'POST', `${pathname}/pay`)).text).toContain('data-outcome="succeeded"');

    await page.goto(`${app().url}/login`);
    await page.evaluate((stored) => localStorage.setItem(...stored), [key, hostedPageId] as const);
    await hands.write(page.getByLabel('Email'), owner.email);
    await hands.write(page.getByLabel(/^Password/), owner.password);
    const told = page.waitForResponse((response) =>
      response.url().endsWith('/api/subscription/process-callback'),
    );
    const loaded = page.waitForEvent('load');
    await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
    const answer = await told;
    expect(answer.ok()).toBe(true);
    expect(answer.request().postDataJSON()).toEqual({ hostedPageId });
    await loaded;
    // The dashboard becomes home in the address.
    await expect(page).toHaveURL(/:\d+\/(dashboard)?$/);
    await expect(page.getByRole('heading', { level: 1, name: companyName })).toBeVisible();
    await expect.poll(() => page.evaluate((name) => localStorage.getItem(name), key)).toBeNull();
    expect((await app().client.call('subscription', {})).plan).toMatchObject({
      id: planId,
      state: 'active',
      seats,
    });
  });
}
