import { join, resolve } from 'node:path';
import { sharedApp, test } from '../e2e/kit.ts';
import { startSecondCluster } from '../e2e/product.ts';
import { inStore } from '../e2e/store.ts';
import { screens } from './screens.ts';

const folder = join(resolve(import.meta.dirname, '../..'), 'shots');
const app = sharedApp(() => ({ WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8' }));
const sizes = [
  { suffix: '', viewport: { width: 1440, height: 900 } },
  { suffix: '-narrow', viewport: { width: 390, height: 844 } },
];

// The playground is protected here, and a second cluster cannot be reached: both have a look of their own.
test.beforeAll(async () => {
  await inStore(app().product, async (query) => {
    await query('update clusters set is_protected = true');
  });
  const away = await startSecondCluster();
  const body = { name: 'edge-lab', description: '', kubeConfigContent: away.kubeconfig };
  await app().client.call('addCluster', { body });
  await away.stop();
});

for (const { suffix, viewport } of sizes) {
  for (const { name, path, signedOut, ready } of screens) {
    test(`${name}${suffix}`, async ({ another, allow }) => {
      allow(/the server responded with a status of/);
      const context = await another({ viewport, colorScheme: 'light' });
      if (signedOut !== true) await app().enter(context);
      const page = await context.newPage();
      await page.goto(`${app().url}${path}`);
      await ready(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({
          path: join(folder, `${name}${suffix}-${colorScheme}.png`),
          caret: 'initial',
          animations: 'disabled',
        });
      }
    });
  }
}
