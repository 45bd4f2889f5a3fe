import { eachHand, expect, sharedApp, test } from './kit.ts';
import { podsOf, statusLine } from './places.ts';

// A playground and a database of its own: another product of the run would lose its database as well.
const app = sharedApp();

/** A database that hangs is only noticed once something has waited for it: this long and some more, ms. */
const noticedWithin = 40_000;

for (const { by, it } of eachHand) {
  it(`while the database hangs, lists stay live and the page says so; then it reads what failed (${by})`, async ({
    page,
    context,
    allow,
    hands,
  }) => {
    test.slow();
    allow(/failed with 503: The database is not responding\./);
    await app().enter(context);
    const [cluster] = await app().client.call('clusters', {});
    await page.goto(`${app().url}/clusters/${cluster?.id}/pods`);
    await expect(podsOf(page).getByRole('row').nth(1)).toBeVisible();
    await expect(statusLine(page)).toContainText(/^Live/);
    const notice = page.getByRole('status').filter({ hasText: 'The database is not responding.' });
    await expect(notice).toHaveCount(0);

    const goOn = await app().product.freezeDatabase();
    try {
      await test.step('the notice says what still works, and since when the rest is old', async () => {
        await expect(notice).toBeVisible({ timeout: noticedWithin });
        await expect(notice).toContainText(
          /^The database is not responding\. Live lists and objects go on until \d+:\d\d:\d\d.*; everything else is from \d+:\d\d:\d\d.* and cannot be changed until the database is back\.$/,
        );
        await expect(statusLine(page)).toContainText(/^Live/);
        await expect(podsOf(page).getByRole('row').nth(1)).toBeVisible();
      });

      await test.step('it stays above whatever is opened meanwhile', async () => {
        await hands.press(page.getByRole('banner').getByRole('link', { name: 'Teams' }));
        await expect(page).toHaveURL(/\/settings\/teams$/);
        await expect(notice).toBeVisible();
      });
    } finally {
      goOn();
    }

    await test.step('once it is back, the notice goes and the page shows what it could not read', async () => {
      await expect(notice).toHaveCount(0, { timeout: noticedWithin });
      await expect(page.getByText('No team yet')).toBeVisible();
    });
  });
}
