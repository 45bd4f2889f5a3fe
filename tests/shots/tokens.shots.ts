import { faultsOf } from '../e2e/axe.ts';
import { expect, test } from '../e2e/kit.ts';
import { startProduct } from '../e2e/product.ts';
import { instant } from './instant.ts';
import { folder, hasAxe, looks, usual } from './looks.ts';
import { hold, release, standStill } from './stillness.ts';

// No build has this page: development serves it.
for (const { suffix, viewport, deviceScaleFactor } of usual) {
  test(`tokens${suffix}`, async ({ another, allow }) => {
    allow(/the server responded with a status of/);
    const product = await startProduct({ WHEELHOUSE_PLAYGROUND: 'off' }, 'src/server/start.mjs', '--dev');
    try {
      const context = await another({ viewport, deviceScaleFactor, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await standStill(page, instant);
      // Development reads the modules one by one.
      await page.goto(`${product.url}/tests/tokens`, { waitUntil: 'commit', timeout: 60_000 });
      await expect(page.getByRole('region', { name: 'Messages' })).toBeVisible({ timeout: 90_000 });
      // All of it, which otherwise scrolls.
      const height = await page.locator('[data-part=page]').evaluate((body) => body.scrollHeight);
      await page.setViewportSize({ width: viewport.width, height: height + 24 });
      await hold(page);
      const faults: string[] = [];
      for (const { look, ...media } of looks) {
        await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
        await page.screenshot({
          path: `${folder}/tokens${suffix}-${look}.png`,
          caret: 'initial',
          animations: 'disabled',
        });
      }
      await release(page);
      for (const { look, ...media } of looks) {
        if (!hasAxe || look === 'forced') continue;
        await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
        faults.push(...(await faultsOf(page, look)));
      }
      expect(faults).toEqual([]);
    } finally {
      await product.remove();
    }
  });
}
