import type { Page } from 'playwright/test';
import { deploymentOf, deploymentsIn, namespaceOf, sharedCluster } from './cluster.ts';
import { editorText } from './hands.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { specified } from '../web/create-spec.ts';
import { dialogOf, headingOf, rowOf, toastOf } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);
const mole = sharedCluster(app, 'mole');

const read = (path: string): Promise<unknown> => harbour().cluster.call('GET', path);
const editor = (page: Page) => page.getByRole('textbox', { name: /^YAML of/ });

for (const { by, it } of eachHand) {
  it(`a resource is created from a template, edited while it changes, and compared (${by})`, async ({
    page,
    context,
    allow,
    hands,
  }) => {
    // Texts that are refused, and one that was changed meanwhile.
    allow(/status of (?:400|409|422)/, /failed with (?:400|409|422)/, /^Failed to create a resource/);
    // Calls that never get there.
    allow(/net::ERR_FAILED/);
    const lost = (call: RegExp) => page.route(call, (route) => route.abort(), { times: 1 });
    const { cluster, url } = harbour();
    const namespace = `slip-${hands.name}`;
    const path = deploymentsIn(namespace, 'example');
    for (const one of [cluster, mole().cluster])
      await one.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
    await app().enter(context);

    await test.step('created', async () => {
      await page.goto(url(`/namespaces/${namespace}`));
      await expect(headingOf(page, namespace)).toBeVisible();
      if (hands.name === 'keyboard') await page.keyboard.type('cr');
      else await page.getByRole('button', { name: 'Create Resource' }).first().click();
      const dialog = dialogOf(page, specified.title);
      const parsed = dialog.getByRole('region', { name: 'Parsed Values' });
      const text = dialog.getByRole('textbox', { name: 'YAML of the resource' });
      const create = dialog.getByRole('button', { name: specified.create, exact: true });
      await expect(parsed).toContainText(specified.invalid);
      await expect(parsed).toContainText(specified.nothingParsed);
      const placeholder = dialog.locator('.editorPlaceholder');
      await expect.poll(() => placeholder.innerText()).toContain('\nmetadata:\n  name: example\n');
      await expect(create).toBeDisabled();
      await expect(dialog.getByRole('button', { name: specified.apply, exact: true })).toBeDisabled();
      await hands.paste(text, 'a: [');
      await expect(parsed).toContainText(/Error: .*Flow sequence/);
      await hands.press(create);
      await expect(dialog.getByRole('alert').filter({ hasText: specified.invalidYaml })).toBeVisible();
      await hands.paste(
        text,
        `kind: ConfigMap\napiVersion: v1\nmetadata: {name: 7, namespace: ${namespace}}`,
      );
      await expect(parsed.getByText(specified.valid, { exact: true })).toBeVisible();
      await expect(dialog.getByText(specified.invalidYaml)).toHaveCount(0);
      await hands.press(create);
      const failed = specified.failed.replace(
        '{message}',
        'Its name (metadata.name) is not a string. Put it in quotes.',
      );
      // The toast goes by itself, what the dialog says stays.
      await expect(toastOf(page, failed)).toBeVisible();
      await expect(dialog.getByRole('alert').filter({ hasText: failed })).toBeVisible();
      await hands.select(page.getByLabel('Resource type', { exact: true }), 'Deployment');
      await hands.select(page.getByLabel('Template', { exact: true }), 'basic');
      await hands.press(dialog.getByRole('button', { name: specified.apply, exact: true }));
      await expect(parsed).toContainText(specified.valid);
      await expect(dialog.getByText(`Namespace ${namespace} exists`)).toBeVisible();
      await lost(/\/create-resource$/);
      await hands.press(create);
      await expect(dialog.getByRole('alert').filter({ hasText: 'Your text is kept.' })).toBeVisible();
      await hands.press(create);
      await expect(toastOf(page, specified.created)).toBeVisible();
      await expect(dialog).toBeHidden();
      expect(await read(path)).toMatchObject({ spec: { replicas: 1 } });
    });

    await test.step('a field that somebody else owns is taken over', async () => {
      await cluster.call('PATCH', `${path}?fieldManager=helm`, { spec: { replicas: 2 } });
      if (hands.name === 'keyboard') await page.keyboard.type('cr');
      else await page.getByRole('button', { name: 'Create Resource' }).first().click();
      const dialog = dialogOf(page, specified.title);
      const text = dialog.getByRole('textbox', { name: 'YAML of the resource' });
      await hands.paste(
        text,
        `{apiVersion: apps/v1, kind: Deployment, metadata: {name: example, namespace: ${namespace}}, spec: {replicas: 1}}`,
      );
      await hands.press(dialog.getByRole('button', { name: 'Create or update…' }));
      const review = dialog.getByRole('region', { name: 'What applying will do' });
      await expect(review.getByRole('listitem')).toHaveText(/spec\.replicas is owned by helm/);
      await expect(review.getByRole('status')).toHaveText('Nothing here can be applied.');
      await hands.tick(review.getByRole('checkbox', { name: 'Take over these fields from their owners' }));
      await expect(review.getByRole('status')).toHaveText('This can be applied.');
      await hands.press(review.getByRole('button', { name: 'Apply to the cluster' }));
      await expect(toastOf(page, 'Resource applied successfully')).toBeVisible();
      expect(await read(path)).toMatchObject({ spec: { replicas: 1 } });
    });

    await test.step('edited while somebody else changes it', async () => {
      const detail = url(`/namespaces/${namespace}/deployments/example`);
      await page.goto(detail);
      await expect(headingOf(page, 'example')).toBeVisible();
      if (hands.name === 'keyboard') await page.keyboard.press('e');
      else await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await expect.poll(() => editorText(editor(page))).toMatch(/replicas: 1\n[^]*image: nginx:latest\n/);
      const text = await editorText(editor(page));
      const review = page.getByRole('button', { name: 'Review changes' });

      // What the cluster's schema does not know is hinted at; what the cluster refuses is marked and led to.
      await hands.paste(editor(page), text.replace('replicas: 1', 'replicas: -1\n  bogus: 1'));
      await expect(page.getByText('1 hint: press F8 to go through them')).toBeVisible();
      await hands.paste(editor(page), text.replace('replicas: 1', 'replicas: -1'));
      await hands.press(review);
      await hands.press(page.getByRole('alert').getByRole('button', { name: 'spec.replicas' }));
      await expect(editor(page)).toBeFocused();
      await expect(page.locator('[data-monaco] .squiggly-error')).toBeVisible();

      // Saving what was changed meanwhile fails, says so, and keeps the text.
      await hands.paste(
        editor(page),
        `# for the sale\n${text.replace('image: nginx:latest', 'image: nginx:1.29')}`,
      );
      await hands.press(review);
      await expect(page.getByRole('region', { name: 'What will change' })).toContainText('nginx:1.29');
      const save = page.getByRole('button', { name: 'Save', exact: true });
      await lost(/\/edit\?/);
      await hands.press(save);
      await expect(page.getByRole('alert').filter({ hasText: 'Your text is kept.' })).toBeVisible();
      await cluster.call('PATCH', path, { metadata: { labels: { by: 'another' } } });
      await hands.press(save);
      await expect(
        page.getByRole('alert').filter({ hasText: 'was changed on the cluster meanwhile' }),
      ).toBeVisible();
      const banner = page.getByRole('alert').filter({ hasText: 'was changed on the cluster while you edit' });
      await expect(banner).toBeVisible();
      await hands.press(page.getByRole('button', { name: 'Show the three versions' }));
      const mine = page.getByRole('region', { name: 'Changed by you' });
      await expect(mine).toContainText('# for the sale');
      await expect(mine).toContainText('nginx:1.29');
      await hands.press(page.getByRole('button', { name: 'Merge their changes into mine' }));
      await expect(banner).toBeHidden();
      // Only what is in sight can be read.
      await editor(page).focus();
      await page.keyboard.press('ControlOrMeta+Home');
      await expect.poll(() => editorText(editor(page))).toMatch(/^# for the sale[^]*by: another/);
      await expect(page.locator('[data-status-line]').filter({ visible: true })).toContainText(
        'review and save',
      );
      // By keys, the one that reviews also saves.
      const keyboardSave = () => page.keyboard.press('ControlOrMeta+s');
      const isKeyboard = hands.name === 'keyboard';
      await (isKeyboard ? keyboardSave() : hands.press(review));
      await expect(page.getByRole('region', { name: 'What will change' })).toContainText('nginx:1.29');
      await (isKeyboard
        ? keyboardSave()
        : hands.press(page.getByRole('button', { name: 'Save', exact: true })));
      await expect(toastOf(page, 'Deployment example saved')).toBeVisible();
      // What was saved cannot be lost: the tab turns to the YAML and does not ask.
      await expect(page).toHaveURL(/view=yaml/);
      await expect(page.getByRole('dialog')).toHaveCount(0);
      if (isKeyboard) {
        // Esc leads to where the editor was opened by its key, and not into it again.
        await page.keyboard.press('Escape');
        await expect(page).toHaveURL(detail);
      }
      expect(await read(path)).toMatchObject({
        metadata: { labels: { by: 'another' } },
        spec: { template: { spec: { containers: [{ image: 'nginx:1.29' }] } } },
      });
    });

    await test.step('compared with that of another cluster, and a value copied into an edit', async () => {
      await mole().cluster.call(
        'POST',
        deploymentsIn(namespace),
        deploymentOf('example', { image: 'nginx:1.27' }),
      );
      await page.goto(url(`/deployments?ns=${namespace}`));
      await expect(rowOf(page, 'Deployments', 'example')).toBeVisible();
      await page.keyboard.type('cl');
      await expect(headingOf(page, 'Compare Deployments')).toBeVisible();
      await hands.select(page.getByLabel('Compare with cluster', { exact: true }), 'mole');
      await hands.write(page.getByLabel('Namespace to compare with'), namespace);
      await hands.press(page.getByRole('button', { name: 'Compare', exact: true }));
      await expect(page.getByRole('status').filter({ hasText: /^1 difference, as of/ })).toBeVisible();
      const line = page.getByRole('row', { name: /^example/ });
      await expect(line).toContainText('spec.template');
      await hands.press(line.getByRole('link', { name: 'example' }));
      const place = page.getByRole('status').filter({ hasText: /[Dd]ifference/ });
      await expect(place).toHaveText(/^\d+ differences?$/);
      // The same name in the other clusters is a press away.
      const proposed = page.getByRole('group', { name: 'The same name in other clusters' });
      await expect(proposed.getByRole('button', { name: 'mole', exact: true })).toBeVisible();
      if (hands.name === 'pointer') await page.getByRole('button', { name: 'Next difference' }).click();
      else await page.keyboard.press('n');
      await expect(page.getByRole('region', { name: /^Difference 1 of/ })).toBeFocused();
      await expect(place).toHaveText(/^Difference 1 of \d+$/);
      if (hands.name === 'pointer')
        await page.getByRole('button', { name: 'Copy right to left…' }).first().click();
      else await page.keyboard.press('Shift+ArrowLeft');
      await expect.poll(() => editorText(editor(page))).toMatch(/name: example\n {2}namespace: slip-/);
      await expect(page.getByRole('button', { name: 'Review changes' })).toBeEnabled();
    });
  });
}
