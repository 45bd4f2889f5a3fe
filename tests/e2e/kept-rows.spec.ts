import type { BrowserContext, Page } from 'playwright/test';
import { sharedCluster } from './cluster.ts';
import { eachHand, expect, owner, ownClusters, sharedApp, test } from './kit.ts';
import { podRows, rowsOf, statusLine } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

/** Number of lists that are kept in the browser, and whether a text can be read in any of them. */
const keptLists = async (page: Page, text: string) =>
  await page.evaluate(async (wanted) => {
    let hasText = false;
    const names = await caches.keys();
    const cache = await caches.open('wheelhouse-rows');
    const requests = names.includes('wheelhouse-rows') ? await cache.keys() : [];
    for (const request of requests) {
      const stored = await cache.match(request);
      hasText ||= request.url.includes(wanted) || ((await stored?.text()) ?? '').includes(wanted);
    }
    return { count: requests.length, hasText };
  }, text);

/** From here on a page of the browser gets no live data, as over a line that is slow. */
const holdLive = async (context: BrowserContext) => await context.routeWebSocket(/\/api\/live$/, () => {});

/** The names of the pods that are drawn. */
const namesIn = async (page: Page): Promise<readonly string[]> =>
  await podRows(page).evaluateAll((rows) =>
    rows.map((row) => row.querySelector('a[href*="/pods/"]')?.getAttribute('href') ?? ''),
  );

/** Opens a list and waits until its rows are kept. */
async function visit(page: Page, path: string, lists: number): Promise<void> {
  await page.goto(harbour().url(path));
  await expect(statusLine(page)).toContainText(/^Live/);
  await expect.poll(async () => (await keptLists(page, '')).count).toBe(lists);
}

test('a second visit shows the last known names and statuses, until the list was read', async ({
  page,
  context,
}) => {
  await app().enter(context, 'own');
  await visit(page, '/pods', 1);
  // As many as are drawn by now: the window grows once the list was measured.
  const names = await namesIn(page);
  expect(names.length).toBeGreaterThan(0);
  expect(await keptLists(page, names[0]?.split('/').at(-1) ?? '')).toEqual({ count: 1, hasText: false });

  await holdLive(context);
  await page.reload();
  await expect(statusLine(page)).toContainText(/As of \d\d:\d\d:\d\d, refreshing/);
  await expect.poll(async () => (await namesIn(page)).slice(0, names.length)).toEqual(names);
  await expect(podRows(page).filter({ hasText: 'Running' }).first()).toBeVisible();
  // Where a pod runs is not kept.
  await expect(podRows(page).locator('a[href*="/nodes/"]')).toHaveCount(0);

  // Another session of the same person has another key.
  await page.goto('about:blank');
  await context.clearCookies();
  await app().enter(context, 'own');
  await page.goto(harbour().url('/pods'));
  await expect(page.getByRole('grid', { name: 'Pods' })).toBeHidden();
  await expect.poll(async () => (await keptLists(page, '')).count).toBe(0);
});

test('Secrets are not kept, and live rows take the place of kept ones', async ({ page, context }) => {
  await app().enter(context, 'own');
  await page.goto(harbour().url('/secrets'));
  await expect(statusLine(page)).toContainText(/^Live/);
  await visit(page, '/pods', 1);
  await page.reload();
  await expect(statusLine(page)).toContainText(/^Live/);
  await expect(podRows(page).locator('a[href*="/nodes/"]').first()).toBeVisible();
  await page.goto(harbour().url('/secrets'));
  await expect(statusLine(page)).toContainText(/^Live/);
  expect((await keptLists(page, '')).count).toBe(1);
});

for (const { by, it } of eachHand) {
  it(`an Owner's switch and a logout leave nothing to show (${by})`, async ({ page, context, hands }) => {
    await app().enter(context, 'own');
    await visit(page, '/pods', 1);
    await page.goto(`${app().url}/settings?section=company`);
    const rule = page.getByRole('checkbox', { name: 'Show the last known rows of a list' });
    await hands.tick(rule);
    await expect(rule).not.toBeChecked();
    await expect.poll(async () => (await keptLists(page, '')).count).toBe(0);
    await page.goto(harbour().url('/pods'));
    await expect(statusLine(page)).toContainText(/^Live/);
    expect((await keptLists(page, '')).count).toBe(0);

    await page.goto(`${app().url}/settings?section=company`);
    await hands.tick(rule);
    await expect(rule).toBeChecked();
    await visit(page, '/deployments', 1);
    await hands.choose(page.getByRole('button', { name: `Account of ${owner.name}` }), 'Logout');
    await expect(page).toHaveURL(`${app().url}/login`);
    await expect.poll(async () => (await keptLists(page, '')).count).toBe(0);
    await expect(rowsOf(page, 'Deployments')).toHaveCount(0);
  });
}
