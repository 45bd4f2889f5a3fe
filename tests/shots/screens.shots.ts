import { join, resolve } from 'node:path';
import { faultsOf, prepareAxe } from '../e2e/axe.ts';
import { expect, sharedApp, test } from '../e2e/kit.ts';
import { startSecondCluster } from '../e2e/product.ts';
import { inStore } from '../e2e/store.ts';
import { away, screens } from './screens.ts';

const folder = join(resolve(import.meta.dirname, '../..'), 'shots');
const app = sharedApp(() => ({ WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8' }));
/** The windows of every screen. */
const usual = [
  { suffix: '', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
  { suffix: '-narrow', viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
];
/** What else the screens are looked at in that show much at once; the last is 1440x900 at 200 % zoom. */
const between = [
  { suffix: '-1024', viewport: { width: 1024, height: 768 }, deviceScaleFactor: 1 },
  { suffix: '-768', viewport: { width: 768, height: 1024 }, deviceScaleFactor: 1 },
  { suffix: '-zoomed', viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
];
const looks = [
  { look: 'light', colorScheme: 'light', forcedColors: 'none', contrast: 'no-preference' },
  { look: 'dark', colorScheme: 'dark', forcedColors: 'none', contrast: 'no-preference' },
  { look: 'forced', colorScheme: 'dark', forcedColors: 'active', contrast: 'more' },
] as const;

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

for (const { name, path, signedOut, isFull, exemptions, ready } of screens) {
  for (const { suffix, viewport, deviceScaleFactor } of isFull === true ? [...usual, ...between] : usual) {
    test(`${name}${suffix}`, async ({ another, allow }) => {
      allow(/the server responded with a status of/, /edge-lab/);
      const context = await another({ viewport, deviceScaleFactor, colorScheme: 'light' });
      await prepareAxe(context);
      if (signedOut !== true) await app().enter(context);
      const page = await context.newPage();
      await page.goto(`${app().url}${path.replace(away, unreachable)}`);
      await ready(page);
      const faults: string[] = [];
      for (const { look, ...media } of looks) {
        await page.emulateMedia(media);
        await page.screenshot({
          path: join(folder, `${name}${suffix}-${look}.png`),
          caret: 'initial',
          animations: 'disabled',
        });
        // What a system's own colours look like is not for axe to judge.
        if (look !== 'forced') faults.push(...(await faultsOf(page, look, exemptions)));
      }
      expect(faults).toEqual([]);
    });
  }
}
