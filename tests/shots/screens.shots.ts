import { join, resolve } from 'node:path';
import { sharedApp, test } from '../e2e/kit.ts';
import { startSecondCluster } from '../e2e/product.ts';
import { inStore } from '../e2e/store.ts';
import { away, screens } from './screens.ts';

const folder = join(resolve(import.meta.dirname, '../..'), 'shots');
const app = sharedApp(() => ({ WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8' }));
const sizes = [
  { suffix: '', viewport: { width: 1440, height: 900 } },
  { suffix: '-narrow', viewport: { width: 390, height: 844 } },
];

// The playground is protected here, and a second cluster cannot be reached: both have a look of their own.
let unreachable = '';
test.beforeAll(async () => {
  await inStore(app().product, async (query) => {
    await query('update clusters set is_protected = true');
  });
  const second = await startSecondCluster();
  const body = { name: 'edge-lab', description: '', kubeConfigContent: second.kubeconfig };
  const { id } = await app().client.call('addCluster', { body });
  unreachable = `/clusters/${id}`;
  await second.stop();
});

for (const { suffix, viewport } of sizes) {
  for (const { name, path, signedOut, ready } of screens) {
    test(`${name}${suffix}`, async ({ another, allow }) => {
      allow(/the server responded with a status of/, /edge-lab/);
      const context = await another({ viewport, colorScheme: 'light' });
      if (signedOut !== true) await app().enter(context);
      const page = await context.newPage();
      await page.goto(`${app().url}${path.replace(away, unreachable)}`);
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
