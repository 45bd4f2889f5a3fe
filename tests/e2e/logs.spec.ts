import type { Locator, Page } from 'playwright/test';
import { sharedCluster } from './cluster.ts';
import { tabTo } from './hands.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { headingOf } from './places.ts';

// The wheel scrolls what the browser has painted.
test.use({ isPainted: true });

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

const logOf = (page: Page): Locator => page.getByRole('log');
const linesOf = (page: Page): Locator => logOf(page).locator('[data-log-line]');
/** What the view says of the log: whether it is followed. */
const said = (page: Page, text: RegExp): Locator => page.getByRole('status').filter({ hasText: text });
/** The uppermost line that shows whole, once nothing scrolls any more. */
const topLine = (page: Page): Promise<string> =>
  logOf(page).evaluate(async (log) => {
    for (let last = -1, still = 0; still < 10; still = log.scrollTop === last ? still + 1 : 0) {
      last = log.scrollTop;
      await new Promise((done) => requestAnimationFrame(done));
    }
    const { top } = log.getBoundingClientRect();
    const lines = [...log.querySelectorAll('[data-log-line]')];
    return lines.find((line) => line.getBoundingClientRect().top >= top)?.textContent ?? '';
  });
/** How many lines have been read. */
async function lineCount(page: Page): Promise<number> {
  const text = (await page.getByText(/^[\d,]+ lines?$/).textContent()) ?? '';
  return Number.parseInt(text.replaceAll(',', ''), 10);
}

for (const { by, it } of eachHand) {
  it(`a log is followed, searched and read container by container (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const isKeyboard = hands.name === 'keyboard';
    const { cluster, url } = harbour();
    const [pod = ''] = await cluster.podNames('shop', 'checkout-');
    await app().enter(context);
    await page.goto(url(`/namespaces/shop/pods/${pod}`));
    await expect(headingOf(page, pod)).toBeVisible();

    await test.step('it opens at its end and goes on', async () => {
      if (isKeyboard) await page.keyboard.press('l');
      else await page.getByRole('button', { name: 'Logs', exact: true }).click();
      await expect(page).toHaveURL(/\?view=logs$/);
      await expect(said(page, /^Following$/)).toBeVisible();
      await expect(logOf(page)).toHaveAccessibleName(`Log of checkout in ${pod}`);
      await expect(linesOf(page).last()).toBeInViewport();
      const before = await lineCount(page);
      await expect.poll(() => lineCount(page)).toBeGreaterThan(before);
      await expect(linesOf(page).last()).toBeInViewport();
    });

    await test.step('weeks of lines cost no more than what is read of them', async () => {
      // One reading for both: the log goes on.
      let count = 0;
      await expect.poll(async () => (count = await lineCount(page))).toBeGreaterThanOrEqual(2_000);
      expect(count).toBeLessThan(2_100);
      expect(await linesOf(page).count()).toBeLessThan(150);
    });

    await test.step('who reads further up is not carried along', async () => {
      await tabTo(logOf(page));
      if (isKeyboard) await page.keyboard.press('PageUp');
      else {
        await logOf(page).hover();
        await page.mouse.wheel(0, -600);
      }
      await expect(said(page, /^Scrolled back; new lines still arrive$/)).toBeVisible();
      const first = await topLine(page);
      const before = await lineCount(page);
      await expect.poll(() => lineCount(page)).toBeGreaterThan(before);
      expect(await topLine(page)).toBe(first);
      if (isKeyboard) await page.keyboard.press('f');
      else await page.getByRole('button', { name: 'Follow' }).click();
      await expect(said(page, /^Following$/)).toBeVisible();
      await expect(linesOf(page).last()).toBeInViewport();
    });

    await test.step('it is searched, match by match', async () => {
      const field = page.getByRole('textbox', { name: 'Search the log' });
      const counted = page.locator('[data-toolbar]').getByRole('status');
      if (isKeyboard) {
        await tabTo(logOf(page));
        await page.keyboard.press('/');
        await expect(field).toBeFocused();
        await page.keyboard.type('order priced');
      } else await field.fill('order priced');
      // Matches are marked while the log goes on to be followed.
      await expect(counted).toHaveText(/^\d+$/);
      await expect(said(page, /^Following$/)).toBeVisible();
      const read = await lineCount(page);
      await expect.poll(() => lineCount(page)).toBeGreaterThan(read);
      await expect(linesOf(page).last()).toBeInViewport();
      const bar = await page.locator('[data-toolbar]').filter({ has: field }).boundingBox();
      expect(bar?.height, 'the tools stand in one line').toBeLessThan(48);
      if (isKeyboard) {
        await page.keyboard.press('Enter');
        await expect(logOf(page)).toBeFocused();
        await expect(said(page, /^Following$/)).toBeVisible();
        await page.keyboard.press('Shift+N');
      } else await page.getByRole('button', { name: 'Previous match' }).click();
      await expect(counted).toHaveText(/^\d+ of \d+$/);
      await expect(said(page, /^Scrolled back/)).toBeVisible();
      const at = async () => Number.parseInt((await counted.textContent()) ?? '', 10);
      const first = await at();
      const current = logOf(page).locator('[data-log-line][data-current]');
      await expect(current.getByText('order priced')).toBeInViewport();
      await expect(current.locator('mark')).toHaveText('order priced');
      if (isKeyboard) {
        await page.keyboard.press('Shift+N');
      } else await page.getByRole('button', { name: 'Previous match' }).click();
      await expect.poll(at).not.toBe(first);
      await expect(current.locator('mark')).toBeInViewport();
      if (isKeyboard) await page.keyboard.press('n');
      else await page.getByRole('button', { name: 'Next match' }).click();
      await expect.poll(at).toBe(first);
      await hands.write(field, 'no such words');
      await expect(counted).toHaveText('no match');
      if (isKeyboard) {
        await page.keyboard.press('Escape');
        await expect(logOf(page)).toBeFocused();
      } else await page.getByRole('button', { name: 'Clear the search' }).click();
      await expect(field).toHaveValue('');
    });

    await test.step('another container of the pod has its own', async () => {
      const choice = page.getByRole('combobox', { name: 'Container', exact: true });
      if (isKeyboard) {
        await tabTo(choice);
        await page.keyboard.press('o');
      } else await choice.selectOption('otel-agent');
      await expect(page).toHaveURL(/container=otel-agent/);
      await expect(logOf(page)).toHaveAccessibleName(`Log of otel-agent in ${pod}`);
      await expect(said(page, /^Following$/)).toBeVisible();
      await expect(linesOf(page).last()).toBeInViewport();
    });
  });

  it(`the log of the run before tells why a container ended (${by})`, async ({ page, context, hands }) => {
    const { cluster, url } = harbour();
    const [pod = ''] = await cluster.podNames('shop', 'email-worker-');
    await app().enter(context);
    await page.goto(url(`/namespaces/shop/pods/${pod}?view=logs`));
    await hands.tick(page.getByRole('checkbox', { name: 'Previous' }));
    await expect(page).toHaveURL(/previous=true/);
    await expect(logOf(page)).toContainText('email-worker failed: connect ECONNREFUSED');
    await expect(said(page, /^Ended$/)).toBeVisible();
    // Its colours are shown, not spelled out.
    await expect(logOf(page)).not.toContainText('[31m');
    await hands.tick(page.getByRole('checkbox', { name: 'Previous' }));
    await expect(page).not.toHaveURL(/previous/);
    await page.goBack();
    await expect(page.getByRole('checkbox', { name: 'Previous' })).toBeChecked();
  });
}
