import type { Page } from 'playwright/test';
import { deploymentOf, deploymentsIn, namespaceOf, sharedCluster } from './cluster.ts';
import { editorText } from './hands.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { dialogOf, headingOf, toastOf } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

const editor = (page: Page) => page.getByRole('textbox', { name: /^YAML of/ });

/** Holds back calls: `made` resolves once one was made, `goOn` lets them go on. */
async function holdBack(page: Page, call: RegExp) {
  const held = Promise.withResolvers<void>();
  const made = Promise.withResolvers<void>();
  await page.route(call, async (route) => {
    made.resolve();
    await held.promise;
    await route.continue();
  });
  return { made: made.promise, goOn: () => held.resolve() };
}

for (const { by, it } of eachHand) {
  it(`a text that is typed while an object is saved stays in its editor (${by})`, async ({
    page,
    context,
    hands,
    allow,
  }) => {
    // The rollout changes the object at any time: the page reads it again, and sends the text anew.
    allow(/status of 409/, /failed with 409/);
    const { cluster, url } = harbour();
    const namespace = `held-edit-${by}`;
    const path = deploymentsIn(namespace, 'capstan');
    await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
    await cluster.call('POST', deploymentsIn(namespace), deploymentOf('capstan'));
    await app().enter(context);
    await page.goto(url(`/namespaces/${namespace}/deployments/capstan`));
    await expect(headingOf(page, 'capstan')).toBeVisible();
    if (hands.name === 'keyboard') await page.keyboard.press('e');
    else await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const review = page.getByRole('button', { name: 'Review changes' });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await expect.poll(() => editorText(editor(page))).toMatch(/replicas: 1\n[^]*image: /);
    const text = await editorText(editor(page));
    // The review leaves only the beginning of the text in sight: labels and the number of replicas.
    const write = (replicas: number, label: string) =>
      hands.paste(
        editor(page),
        text
          .replace(/replicas: \d+/, `replicas: ${replicas}`)
          .replace('labels:\n', `labels:\n    at: ${label}\n`),
      );

    await test.step('what was not reviewed is not shown as reviewed', async () => {
      await write(2, 'first');
      const dryRun = await holdBack(page, /\/edit\?/);
      await hands.press(review);
      await dryRun.made;
      await write(3, 'second');
      dryRun.goOn();
      await expect(review).toBeEnabled();
      await expect(save).toHaveCount(0);
    });

    for (const [call, replicas, label] of [
      [/\/edit\?/, 3, 'third'],
      [/\/source\?/, 4, 'fourth'],
    ] as const) {
      await test.step(`while the answer of ${call.source} is awaited`, async () => {
        await write(replicas, `before-${label}`);
        await hands.press(review);
        await expect(save).toBeEnabled();
        const saving = await holdBack(page, call);
        await hands.press(save);
        await saving.made;
        await write(replicas, label);
        saving.goOn();
        await expect(toastOf(page, 'Deployment capstan saved').first()).toBeVisible();
        await expect(review).toBeEnabled();
        expect(await editorText(editor(page))).toContain(`at: ${label}`);
        await expect(page.getByText('Not saved yet.')).toBeVisible();
        await expect(page).toHaveURL(/view=edit/);
        expect(await cluster.call('GET', path)).toMatchObject({
          metadata: { labels: { at: `before-${label}` } },
          spec: { replicas },
        });
      });
    }

    await test.step('and is saved next, which leaves the editor', async () => {
      await hands.press(review);
      await hands.press(save);
      await expect(page).toHaveURL(/view=yaml/);
      expect(await cluster.call('GET', path)).toMatchObject({
        metadata: { labels: { at: 'fourth' } },
        spec: { replicas: 4 },
      });
    });
  });

  it(`a text that is typed while a dialog or form is sent is not lost with it (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const { cluster, url } = harbour();
    const namespace = `held-create-${by}`;
    await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
    await app().enter(context);
    const map = (name: string) =>
      `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: ${namespace}}}`;

    await test.step('the dialog that creates stays with a text that was changed', async () => {
      await page.goto(url(`/namespaces/${namespace}`));
      await expect(headingOf(page, namespace)).toBeVisible();
      if (hands.name === 'keyboard') await page.keyboard.type('cr');
      else await page.getByRole('button', { name: 'Create Resource' }).first().click();
      const dialog = dialogOf(page, 'Create Resource via YAML');
      const text = dialog.getByRole('textbox', { name: 'YAML of the resource' });
      await hands.paste(text, map('first'));
      const creating = await holdBack(page, /\/create-resource$/);
      await hands.press(dialog.getByRole('button', { name: 'Create Resource', exact: true }));
      await creating.made;
      await hands.paste(text, map('second'));
      creating.goOn();
      await expect(toastOf(page, 'Resource created successfully')).toBeVisible();
      await expect.poll(() => editorText(text)).toContain('second');
      await hands.press(dialog.getByRole('button', { name: 'Create Resource', exact: true }));
      await expect(dialog).toBeHidden();
      for (const name of ['first', 'second'])
        expect(await cluster.call('GET', `/api/v1/namespaces/${namespace}/configmaps/${name}`)).toBeDefined();
    });

    await test.step('a form takes no text while it is sent, and keeps the focus in it', async () => {
      await page.goto(`${app().url}/settings?section=company`);
      const name = page.getByRole('textbox', { name: 'Name' });
      // Each hand saves a name of its own: a form without a change is not sent.
      const office = `Office by ${by}`;
      await hands.write(name, office);
      const saving = await holdBack(page, /\/api\/organization$/);
      await page.keyboard.press('Enter');
      await saving.made;
      await page.keyboard.type(' of');
      await expect(name).toBeFocused();
      await expect(name).toHaveValue(office);
      await expect(name).toHaveJSProperty('readOnly', true);
      saving.goOn();
      await expect(toastOf(page, 'Organisation saved')).toBeVisible();
      await hands.write(page.getByRole('textbox', { name: 'Name' }), `${office} of the North`);
    });
  });

  it(`help for a trouble can be pressed while the server is still asked about it (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    await app().enter(context);
    const asked = await holdBack(page, /\/api\/clusters\/\d+\/actions$/);
    await page.goto(harbour().url('/namespaces/shop/deployments/email-worker'));
    const help = page.getByRole('button', { name: 'Roll back…' });
    await asked.made;
    await expect(help.first()).toBeEnabled();
    await hands.press(help.first());
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible();
    asked.goOn();
  });
}
