import type { Page } from 'playwright/test';
import { kindFacts } from '../../commands/kinds/facts.ts';
import { isFull } from '../prove.ts';
import type { Hands } from './hands.ts';
import { sharedCluster } from './cluster.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { plainCell, rowsOf } from './places.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(ownClusters);
const added = sharedCluster(app, 'playground');

// The company's volumes are attached by nobody.
test.beforeAll(async () => {
  await added().cluster.call('POST', '/apis/storage.k8s.io/v1/volumeattachments', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'spare' },
    spec: {
      attacher: 'ebs.csi.example.org',
      nodeName: 'worker-a1',
      source: { persistentVolumeName: 'spare' },
    },
  });
});

const field = (page: Page) => page.getByRole('dialog').getByRole('combobox');

/** Opens the list of a kind by the palette: its mode of kinds, the shortest name. */
async function openList(page: Page, hands: Hands, alias: string, title: string): Promise<void> {
  if (hands.name === 'keyboard') await page.keyboard.press(':');
  else await page.getByRole('button', { name: 'Search or run a command' }).click();
  await expect(field(page)).toBeFocused();
  if (hands.name === 'keyboard') await page.keyboard.type(alias);
  else await field(page).fill(`:${alias}`);
  const first = page.getByRole('dialog').getByRole('option').first();
  await expect(first).toContainText(title);
  if (hands.name === 'keyboard') await page.keyboard.press('Enter');
  else await first.click();
  await expect(field(page)).toBeHidden();
}

for (const [at, { by, it }] of eachHand.entries()) {
  // All kinds share one list and one page: the gate shares them out between both hands, `npm run prove` opens each by both.
  const kinds = kindFacts.filter((_, index) => isFull || index % eachHand.length === at);
  // One product and one page for all kinds: what is asked of each is little, and a start costs more than all of it.
  it(
    `every kind has its list, its row's menu, its page and its YAML (${by})`,
    inBothHands,
    async ({ page, context, hands }) => {
      await app().enter(context);
      await page.goto(`${app().url}/clusters/1/namespaces`);
      // Nobody presses a key before the page is there.
      await expect(rowsOf(page, 'Namespaces').first()).toBeVisible();
      for (const kind of kinds) {
        await test.step(kind.id, async () => {
          const { title, id, aliases = [] } = kind;
          await openList(page, hands, aliases[0] ?? id, title);
          const rows = rowsOf(page, title);
          await expect(rows.first()).toBeVisible();
          if (hands.name === 'keyboard') {
            // What can be done with the row stands first in the palette.
            await page.keyboard.press('ControlOrMeta+k');
            await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
            await page.keyboard.press('Escape');
            await expect(field(page)).toBeHidden();
            await page.keyboard.press('Enter');
          } else {
            await rows.first().hover();
            await rows.first().getByRole('button', { name: 'Actions' }).click();
            await expect(page.getByRole('menu').getByRole('menuitem').first()).toBeVisible();
            await page.keyboard.press('Escape');
            await expect(page.getByRole('menu')).toBeHidden();
            await plainCell(rows.first()).dblclick();
          }
          const main = page.getByRole('main');
          // Views that were left stay as they are, out of sight.
          await expect(main.getByRole('region').filter({ visible: true }).first()).toBeVisible();
          if (hands.name === 'keyboard') await page.keyboard.press('y');
          else
            await main
              .getByRole('button', { name: id === 'release' ? 'Manifest' : 'YAML', exact: true })
              .click();
          await expect(
            main
              .getByText(/^apiVersion/)
              .filter({ visible: true })
              .first(),
          ).toBeVisible();
        });
      }
    },
  );
}
