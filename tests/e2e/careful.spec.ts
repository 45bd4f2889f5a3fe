import type { Page } from 'playwright/test';
import { deploymentOf, deploymentsIn, namespaceOf, sharedCluster } from './cluster.ts';
import type { Hands } from './hands.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { dialogOf, gridOf, headingOf, rowOf, statusLine, toastOf } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

const read = (path: string): Promise<unknown> => harbour().cluster.call('GET', path);
const exists = (path: string): Promise<boolean> =>
  read(path).then(
    () => true,
    () => false,
  );

/** Begins an action on the row of a list: by its key on the row under the cursor, or from the row's menu. */
async function begin(
  page: Page,
  hands: Hands,
  [title, name]: readonly [title: string, name: string],
  [keys, entry]: readonly [keys: string, entry: string],
): Promise<void> {
  if (hands.name === 'keyboard') {
    await gridOf(page, title).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press(keys);
  } else {
    await rowOf(page, title, name).click({ button: 'right' });
    await page.getByRole('menuitem', { name: new RegExp(`^${entry}`) }).click();
  }
}

async function openList(page: Page, path: string): Promise<void> {
  await page.goto(harbour().url(path));
  await expect(statusLine(page)).toContainText(/^Live/);
}

for (const { by, it } of eachHand) {
  it(`Enter acts where a dialog begins, and nothing is asked that a kind does not have (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const { cluster } = harbour();
    const namespace = `slip-${hands.name}`;
    await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
    await cluster.call('POST', deploymentsIn(namespace), deploymentOf('davit', { replicas: 3 }));
    await expect.poll(() => cluster.podNames(namespace, 'davit-')).toHaveLength(3);
    await app().enter(context);

    await test.step('a pod is deleted by two presses: it owns nothing to decide about', async () => {
      await openList(page, `/pods?ns=${namespace}&sort=name`);
      const [pod = ''] = (await cluster.podNames(namespace, 'davit-')).toSorted();
      await begin(page, hands, ['Pods', pod], ['Shift+D', 'Delete…']);
      const dialog = dialogOf(page, `Delete Pod ${pod}?`);
      const verb = dialog.getByRole('button', { name: 'Delete', exact: true });
      await expect(verb).toBeFocused();
      await expect(dialog.getByRole('combobox')).toHaveCount(0);
      if (hands.name === 'keyboard') await page.keyboard.press('Enter');
      else await verb.click();
      await expect(toastOf(page, `Pod ${pod} deleted`)).toBeVisible();
      await expect.poll(() => cluster.podNames(namespace, 'davit-')).not.toContain(pod);
    });

    await test.step('a typed number replaces the old one, and what it changes is shown before and after', async () => {
      await openList(page, `/deployments?ns=${namespace}`);
      await begin(page, hands, ['Deployments', 'davit'], ['Shift+S', 'Scale…']);
      const dialog = dialogOf(page, 'Scale Deployment davit');
      const field = dialog.getByRole('spinbutton', { name: 'Replicas' });
      await expect(field).toBeFocused();
      await page.keyboard.type('4');
      await expect(field).toHaveValue('4');
      await expect(dialog).toContainText('3 → 4');
      if (hands.name === 'pointer') {
        // A press into the field that has lost the focus selects what stands there as well.
        await dialog.getByRole('button', { name: 'Show what will change' }).focus();
        await field.click();
        await page.keyboard.type('2');
        await expect(field).toHaveValue('2');
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowUp');
        await expect(field).toHaveValue('4');
        await dialog.getByRole('button', { name: 'Scale', exact: true }).click();
      } else await page.keyboard.press('Enter');
      await expect(dialog).toBeHidden();
      expect(await read(deploymentsIn(namespace, 'davit'))).toMatchObject({ spec: { replicas: 4 } });
    });

    await test.step('mod+Enter acts from anywhere in a dialog, and holding Enter does not', async () => {
      await begin(page, hands, ['Deployments', 'davit'], ['Shift+D', 'Delete…']);
      const dialog = dialogOf(page, 'Delete Deployment davit?');
      const verb = dialog.getByRole('button', { name: 'Delete', exact: true });
      await expect(verb).toBeFocused();
      await verb.dispatchEvent('keydown', { key: 'Enter', code: 'Enter', repeat: true, bubbles: true });
      await hands.select(dialog.getByLabel('What it owns'), 'Delete before it');
      await expect(dialog).toBeVisible();
      expect(await exists(deploymentsIn(namespace, 'davit'))).toBe(true);
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(dialog).toBeHidden();
      await expect.poll(() => exists(deploymentsIn(namespace, 'davit'))).toBe(false);
    });

    await test.step('why it cannot act is said', async () => {
      await page.goto(harbour().url(`/namespaces/${namespace}`));
      await expect(headingOf(page, namespace)).toBeVisible();
      if (hands.name === 'keyboard') await page.keyboard.type('cr');
      else await page.getByRole('button', { name: 'Create Resource' }).first().click();
      const dialog = dialogOf(page, 'Create Resource');
      await expect(dialog.getByRole('textbox', { name: 'YAML of the resource' })).toBeFocused();
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(toastOf(page, 'Write or paste YAML first.')).toBeVisible();
      await expect(dialog).toBeVisible();
    });
  });
}
