import type { Page } from 'playwright/test';
import { deploymentOf, deploymentsIn, namespaceOf, sharedCluster } from './cluster.ts';
import { editorText } from './hands.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { headingOf } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

const editor = (page: Page) => page.getByRole('textbox', { name: /^YAML of/ });

/** Holds back answers to a call until the result is called. */
async function heldBack(page: Page, call: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(call, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

for (const { by, it } of eachHand) {
  it(`letters are text from the moment an editor is asked for, and never act on its object (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const { cluster, url } = harbour();
    const namespace = `quay-${hands.name}`;
    const path = deploymentsIn(namespace, 'capstan');
    await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
    await cluster.call('POST', deploymentsIn(namespace), deploymentOf('capstan'));
    await app().enter(context);
    const detail = `/namespaces/${namespace}/deployments/capstan`;
    const edit = async () => {
      if (hands.name === 'keyboard') await page.keyboard.press('e');
      else
        await page
          .getByRole('navigation', { name: 'Views of the object' })
          .getByRole('button', { name: 'Edit' })
          .click();
      await expect(page).toHaveURL(/view=edit/);
    };

    await test.step('while the object and the editor load, what is typed waits for the text', async () => {
      await page.goto(url(detail));
      await expect(headingOf(page, 'capstan')).toBeVisible();
      const source = await heldBack(page, /\/source(?:\?|$)/);
      const library = await heldBack(page, /create-editor/);
      await edit();
      if (hands.name === 'pointer') await page.getByRole('main').getByText('Loading the object').click();
      await page.keyboard.type('# repl');
      source();
      await expect(page.getByText('Loading the editor…')).toBeVisible();
      await page.keyboard.type('ls');
      library();
      await expect(editor(page)).toBeFocused();
      await expect.poll(() => editorText(editor(page))).toMatch(/^# replls *apiVersion: apps\/v1/);
      await page.keyboard.type('\n');
      await expect.poll(() => editorText(editor(page))).toMatch(/^# replls\n/);
      await expect(page).toHaveURL(/view=edit/);
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

    await test.step('the status line offers no key that would be text', async () => {
      const status = page.getByRole('main').locator('[data-status-line]').last();
      await expect(status).toContainText('EDIT');
      await expect(status).not.toContainText(/logs|edit yaml|back/);
    });

    await test.step('a button beside the text gives the letters to nothing', async () => {
      await hands.press(page.getByRole('button', { name: 'Discard changes' }));
      await expect(page.getByText('No changes yet.')).toBeVisible();
      await page.keyboard.press('r');
      await expect(
        page.getByRole('status').filter({ hasText: '“Restart” does nothing beside' }),
      ).toBeAttached();
      await expect(page).toHaveURL(/view=edit/);
      expect(await cluster.call('GET', path)).not.toMatchObject({
        spec: {
          template: {
            metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': expect.any(String) } },
          },
        },
      });
    });

    await test.step('the text has the focus again when its tab is gone back to', async () => {
      await page.keyboard.type('gd');
      await expect(editor(page)).toBeHidden();
      await page.keyboard.press('[');
      await expect(editor(page)).toBeFocused();
      await page.keyboard.press('ControlOrMeta+Home');
      const kept = page.waitForResponse(
        (answer) => answer.request().method() === 'PUT' && answer.url().includes('/drafts/'),
      );
      await page.keyboard.type('s');
      await expect.poll(() => editorText(editor(page))).toMatch(/^sapiVersion/);
      const tab = page.getByRole('tab', { selected: true });
      await expect(tab).toHaveAccessibleName('Edit capstan, not saved');
      await expect(tab.locator('[data-part=unsaved]')).toBeVisible();
      await kept;
    });

    await test.step('nor do letters act on a pod whose shell is still loading', async () => {
      const [pod = ''] = await cluster.podNames(namespace, 'capstan-');
      await page.goto(url(`/namespaces/${namespace}/pods/${pod}`));
      await expect(headingOf(page, pod)).toBeVisible();
      // A page that was loaded anew knows of the edit before its tab is opened.
      await expect(page.getByRole('tab', { name: 'Edit capstan, not saved' })).toBeVisible();
      const terminal = await heldBack(page, /TerminalView/);
      if (hands.name === 'keyboard') await page.keyboard.press('s');
      else await page.getByRole('button', { name: 'Shell', exact: true }).click();
      await expect(page).toHaveURL(/view=shell/);
      await page.keyboard.type('leD');
      terminal();
      await expect(page.locator('.xterm-helper-textarea')).toBeFocused();
      await expect(page).toHaveURL(/view=shell/);
      await expect(page.getByRole('alertdialog')).toHaveCount(0);
    });
  });
}
