import type { Page } from 'playwright/test';
import { sortText } from '../../src/web/data/rows/sort-key.ts';
import { deploymentOf, deploymentsIn, namespaceOf, sharedCluster } from './cluster.ts';
import { armed, type Hands, pauseTyping, tabTo } from './hands.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { dialogOf, gridOf, headingOf, plainCell, rowOf, statusLine, toastOf } from './places.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

const read = (path: string): Promise<unknown> => harbour().cluster.call('GET', path);
const exists = (path: string): Promise<boolean> =>
  read(path).then(
    () => true,
    () => false,
  );

/** What a change of an object leaves behind. */
const stateOf = async (path: string): Promise<unknown> => {
  const { metadata } = (await read(path)) as {
    metadata: { uid?: string; generation?: number; deletionTimestamp?: string };
  };
  const { uid, generation, deletionTimestamp } = metadata;
  return { uid, generation, deletionTimestamp };
};

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
    await plainCell(rowOf(page, title, name)).click({ button: 'right' });
    await page.getByRole('menuitem', { name: new RegExp(`^${entry}`) }).click();
  }
}

async function openList(page: Page, path: string): Promise<void> {
  await page.goto(harbour().url(path));
  await expect(statusLine(page)).toContainText(/^Live/);
}

for (const { by, it } of eachHand) {
  it(
    `a dialog that destroys begins on Cancel, one that changes where Enter acts (${by})`,
    inBothHands,
    async ({ page, context, hands, isWhole }) => {
      const { cluster } = harbour();
      const namespace = `slip-${hands.name}`;
      await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
      await cluster.call('POST', deploymentsIn(namespace), deploymentOf('davit', { replicas: 3 }));
      await expect.poll(() => cluster.podNames(namespace, 'davit-')).toHaveLength(3);
      await app().enter(context);

      await test.step('a pod is deleted by three presses: it owns nothing to decide about', async () => {
        await openList(page, `/pods?ns=${namespace}&sort=name`);
        // The first of the list, which sorts numbers in names by value.
        const names = await cluster.podNames(namespace, 'davit-');
        const [pod = ''] = names.toSorted((one, other) => (sortText(one) < sortText(other) ? -1 : 1));
        await begin(page, hands, ['Pods', pod], ['Shift+D', 'Delete…']);
        const dialog = dialogOf(page, `Delete Pod ${pod}?`);
        const verb = dialog.getByRole('button', { name: 'Delete', exact: true });
        await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
        await expect(dialog.getByRole('combobox')).toHaveCount(0);
        if (hands.name === 'keyboard') {
          await armed(verb);
          await page.keyboard.press('Tab');
          await page.keyboard.press('Enter');
        } else await verb.click();
        await expect(toastOf(page, `Pod ${namespace}/${pod} is being deleted`)).toBeVisible();
        await expect.poll(() => cluster.podNames(namespace, 'davit-')).not.toContain(pod);
      });

      await openList(page, `/deployments?ns=${namespace}`);
      if (isWhole)
        await test.step('a typed number replaces the old one, and what it changes is shown before and after', async () => {
          await begin(page, hands, ['Deployments', 'davit'], ['Shift+S', 'Scale…']);
          const dialog = dialogOf(page, 'Scale Deployment davit');
          const field = dialog.getByRole('spinbutton', { name: 'Replicas' });
          await expect(field).toBeFocused();
          await armed(field);
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
          } else {
            await page.keyboard.press('Enter');
            await expect(dialog.getByRole('button', { name: 'Scale', exact: true })).toBeFocused();
            await page.keyboard.press('Enter');
          }
          await expect(dialog).toBeHidden();
          expect(await read(deploymentsIn(namespace, 'davit'))).toMatchObject({ spec: { replicas: 4 } });
        });

      await test.step('mod+Enter acts from anywhere in a dialog, and holding Enter does not', async () => {
        await begin(page, hands, ['Deployments', 'davit'], ['Shift+D', 'Delete…']);
        const dialog = dialogOf(page, 'Delete Deployment davit?');
        const verb = dialog.getByRole('button', { name: 'Delete', exact: true });
        await armed(verb);
        await verb.focus();
        // Keys that are held down: the second press of each is a repeat.
        for (const key of ['Enter', 'Control+Enter'] as const) {
          await verb.dispatchEvent('keydown', {
            key: 'Enter',
            code: 'Enter',
            ctrlKey: key !== 'Enter',
            repeat: true,
            bubbles: true,
            cancelable: true,
          });
        }
        await expect(dialog).toBeVisible();
        await hands.select(dialog.getByLabel('Dependents'), 'Delete before it');
        await expect(dialog).toBeVisible();
        expect(await exists(deploymentsIn(namespace, 'davit'))).toBe(true);
        if (hands.name === 'keyboard') {
          // The letters that chose are no word: the first press leads to the verb.
          await expect(dialog).not.toHaveAttribute('data-armed');
          await page.keyboard.press('ControlOrMeta+Enter');
          await expect(verb).toBeFocused();
        }
        await page.keyboard.press('ControlOrMeta+Enter');
        await expect(dialog).toBeHidden();
        await expect.poll(() => exists(deploymentsIn(namespace, 'davit'))).toBe(false);
      });

      if (isWhole)
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
    },
  );
}

for (const { by, it } of eachHand) {
  it(`a change by a single key is asked first, or held for 5 s with an Undo, as the person sets it (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const isKeyboard = hands.name === 'keyboard';
    const { cluster, url } = harbour();
    const namespace = `hold-${hands.name}`;
    const path = deploymentsIn(namespace, 'windlass');
    await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
    await cluster.call('POST', deploymentsIn(namespace), deploymentOf('windlass'));
    const isRestarted = async () => JSON.stringify(await read(path)).includes('restartedAt');
    const client = await app().enter(context);
    await client.call('savePreferences', { body: { changes: 'confirm' } });
    const detail = url(`/namespaces/${namespace}/deployments/windlass`);
    const restart = async () => {
      if (isKeyboard) {
        await pauseTyping(page);
        await page.keyboard.press('r');
      } else await page.getByRole('button', { name: 'Restart', exact: true }).click();
    };
    const offered = toastOf(page, 'Restart Deployment windlass: sent in 5 s');
    const undone = toastOf(page, 'Restart Deployment windlass: undone');

    await test.step('by default it is asked, and Esc leaves everything as it is', async () => {
      await page.goto(detail);
      await expect(headingOf(page, 'windlass')).toBeVisible();
      await restart();
      const dialog = dialogOf(page, 'Restart Deployment windlass');
      await expect(dialog.getByRole('button', { name: 'Restart', exact: true })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      expect(await isRestarted()).toBe(false);
    });

    await test.step('the setting is found in the palette and in the settings', async () => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.keyboard.type('changes by a single key');
      await expect(page.getByRole('option', { name: /^Changes by a single key/ }).first()).toBeVisible();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.goto(`${app().url}/settings?section=appearance`);
      const hold = page.getByRole('radio', { name: /^Hold for 5 s/ });
      await expect(page.getByRole('radio', { name: /^Ask first/ })).toBeChecked();
      if (isKeyboard) {
        await tabTo(page.getByRole('radio', { name: /^Ask first/ }));
        await page.keyboard.press('ArrowDown');
      } else await hold.click();
      await expect(hold).toBeChecked();
      await expect(toastOf(page, 'Changes are held for 5 s')).toBeVisible();
      expect(await client.call('preferences', {})).toEqual({ changes: 'hold' });
    });

    await test.step('held, it is undone by a key or by its button, and nothing was sent', async () => {
      await page.goto(detail);
      await expect(headingOf(page, 'windlass')).toBeVisible();
      await restart();
      await expect(offered).toBeVisible();
      expect(await isRestarted()).toBe(false);
      if (isKeyboard) await page.keyboard.press('u');
      else await offered.getByRole('button', { name: 'Undo' }).click();
      await expect(undone).toBeVisible();
      await expect(offered).toBeHidden();
      expect(await isRestarted()).toBe(false);
    });

    await test.step('leaving asks first; who leaves all the same is told that it was not sent', async () => {
      const asked: string[] = [];
      page.on('dialog', (dialog) => {
        asked.push(dialog.type());
        void dialog.accept();
      });
      await restart();
      await expect(offered).toBeVisible();
      await page.reload();
      expect(asked).toEqual(['beforeunload']);
      await expect(toastOf(page, 'Restart Deployment windlass: not sent')).toBeVisible();
      expect(await isRestarted()).toBe(false);
    });

    await test.step('left alone it is sent once its time is over, also from another page', async () => {
      await expect(headingOf(page, 'windlass')).toBeVisible();
      await restart();
      await expect(offered).toBeVisible();
      await pauseTyping(page);
      await page.keyboard.type('gp');
      await expect(gridOf(page, 'Pods')).toBeVisible();
      await expect(toastOf(page, 'Deployment windlass restarted')).toBeVisible();
      expect(await isRestarted()).toBe(true);
      await expect(offered).toBeHidden();
      await page.keyboard.press('u');
      await expect(toastOf(page, 'No change is waiting to be sent.')).toBeVisible();
    });

    await test.step('what destroys something is asked first all the same', async () => {
      await page.goto(detail);
      await expect(headingOf(page, 'windlass')).toBeVisible();
      await page.keyboard.press('Shift+D');
      await expect(dialogOf(page, 'Delete Deployment windlass?')).toBeVisible();
    });
    await client.call('savePreferences', { body: { changes: 'confirm' } });
  });
}

test('a word that is typed into a list changes nothing, from wherever the focus is', async ({
  page,
  context,
  withoutMouse,
}) => {
  await withoutMouse();
  const { cluster } = harbour();
  const namespace = 'word';
  const path = deploymentsIn(namespace, 'capstan');
  const node = '/api/v1/nodes/pontoon';
  await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
  await cluster.call('POST', deploymentsIn(namespace), deploymentOf('capstan'));
  await cluster.call('POST', '/api/v1/nodes', { metadata: { name: 'pontoon' } });
  const client = await app().enter(context);
  const keys = page.keyboard;
  const openRow = async (title: string, list: string) => {
    await openList(page, list);
    await gridOf(page, title).focus();
    await keys.press('Home');
  };
  const before = [await stateOf(path), await stateOf(node)];
  const expectUnchanged = async () => expect([await stateOf(path), await stateOf(node)]).toEqual(before);

  // The letters may have been written into an editor, which asks before it is left.
  page.on('dialog', (dialog) => void dialog.accept());
  await test.step('Docker, ended by each key, at the speed of typing', async () => {
    for (const [title, list] of [
      ['Deployments', `/deployments?ns=${namespace}`],
      ['Nodes', '/nodes?q=pontoon'],
    ] as const)
      for (const end of ['Enter', 'Space', 'ControlOrMeta+Enter']) {
        await openRow(title, list);
        await keys.type('Docker', { delay: 80 });
        await keys.press(end);
        await expectUnchanged();
      }
  });

  await test.step('letters disarm the dialog wherever the focus is, and moving the focus arms it', async () => {
    const dialog = dialogOf(page, 'Delete Deployment capstan?');
    const verb = dialog.getByRole('button', { name: 'Delete', exact: true });
    const hint = dialog.getByText('Enter and Space do nothing here', { exact: false });
    for (const place of [
      verb,
      dialog.getByRole('button', { name: 'Copy as kubectl' }),
      dialog.getByRole('button', { name: 'Cancel' }),
      dialog,
    ]) {
      await openRow('Deployments', `/deployments?ns=${namespace}`);
      await keys.press('Shift+D');
      await armed(verb);
      await place.focus();
      await keys.type('ocker');
      await expect(hint).toBeVisible();
      await expect(dialog).not.toHaveAttribute('data-armed');
      if (place === verb) for (const end of ['Enter', 'Space']) await keys.press(end);
      await keys.press('ControlOrMeta+Enter');
      await expect(verb).toBeFocused();
      await expect(dialog).toHaveAttribute('data-armed');
      await expect(hint).toBeHidden();
      await expectUnchanged();
      await keys.press('Escape');
      await expect(dialog).toBeHidden();
    }
  });

  await test.step('keys that are pressed before a dialog is painted are meant for it', async () => {
    await openRow('Deployments', `/deployments?ns=${namespace}`);
    await keys.type('re');
    const restart = dialogOf(page, 'Restart Deployment capstan');
    await expect(restart.getByText('Enter and Space do nothing here', { exact: false })).toBeVisible();
    expect(page.url()).not.toContain('view=');
    await keys.press('Escape');
    await expect(restart).toBeHidden();
    await pauseTyping(page);
    const object = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route('**/kinds/deployment/objects/capstan?*', async (route) => {
      asked.resolve();
      await object.promise;
      await route.continue();
    });
    await keys.press('Shift+S');
    await asked.promise;
    await expect(page.getByText('Loading the object…')).toBeVisible();
    await keys.type('7');
    await keys.press('Enter');
    object.resolve();
    const scale = dialogOf(page, /^Scale Deployment capstan/);
    await expect(scale.getByRole('spinbutton')).toHaveValue('7');
    await expectUnchanged();
    await keys.press('Escape');
    await expect(scale).toBeHidden();
    await page.unroute('**/kinds/deployment/objects/capstan?*');
  });

  await test.step('a change that is held is not sent where the rest of a word follows, at any pace', async () => {
    await client.call('savePreferences', { body: { changes: 'hold' } });
    const held = toastOf(page, 'Restart Deployment capstan: sent in 5 s');
    for (const word of ['redis', 'rs']) {
      await openRow('Deployments', `/deployments?ns=${namespace}`);
      await pauseTyping(page);
      await keys.press('r');
      await expect(held).toBeVisible();
      await pauseTyping(page);
      for (const letter of word.slice(1)) await keys.press(letter);
      await keys.press('Enter');
      await expect(toastOf(page, 'Restart Deployment capstan: not sent').last()).toBeVisible();
      await expect(held).toBeHidden();
    }
    await openRow('Deployments', `/deployments?ns=${namespace}`);
    await keys.press('r');
    await expect(held).toBeVisible();
    await keys.press('Escape');
    await expect(toastOf(page, 'Restart Deployment capstan: undone')).toBeVisible();
    await expectUnchanged();
    await client.call('savePreferences', { body: { changes: 'confirm' } });
  });

  await test.step('what goes along is counted, and scaling takes one Enter more', async () => {
    await openRow('Deployments', `/deployments?ns=${namespace}`);
    await keys.press('Shift+D');
    const asked = dialogOf(page, 'Delete Deployment capstan?');
    await expect(asked).toContainText('Deletes 1 ReplicaSet and 1 pod as well.');
    await keys.press('Escape');
    await expect(asked).toBeHidden();
    await keys.press('Shift+S');
    const dialog = dialogOf(page, /^Scale Deployment capstan/);
    await armed(dialog);
    await keys.type('0');
    await keys.press('Enter');
    await expect(dialog).toContainText('1 → 0');
    await expect(dialog.getByRole('button', { name: 'Scale', exact: true })).toBeFocused();
    await expectUnchanged();
    await keys.press('Enter');
    await expect(dialog).toBeHidden();
    await expect.poll(() => read(path)).toMatchObject({ spec: { replicas: 0 } });
  });

  await test.step('a node asks for its name', async () => {
    await openRow('Nodes', '/nodes?q=pontoon');
    await keys.press('Shift+D');
    const dialog = dialogOf(page, 'Delete Node pontoon?');
    await expect(dialog.getByLabel('Type pontoon to delete.')).toBeFocused();
    await armed(dialog);
    await keys.type('pon');
    await keys.press('Enter');
    await keys.press('ControlOrMeta+Enter');
    await expect(toastOf(page, 'Type pontoon to confirm.')).toBeVisible();
    expect(await exists(node)).toBe(true);
    await pauseTyping(page);
    await keys.type('toon');
    await keys.press('Enter');
    await expect(dialog).toBeHidden();
    await expect.poll(() => exists(node)).toBe(false);
  });
});

test('a text with a blank, typed outside of a field, ticks nothing that is saved at once', async ({
  page,
  context,
}) => {
  const { id, url } = harbour();
  await app().enter(context);
  await page.goto(url('/settings/global'));
  const rule = page.getByRole('checkbox', { name: 'Read-only' });
  await expect(rule).not.toBeChecked();
  await rule.focus();
  await page.keyboard.type('all of it ');
  await expect(page.getByRole('status').filter({ hasText: 'so this ticked nothing' })).toBeAttached();
  await expect(rule).not.toBeChecked();
  const params = { clusterId: id };
  expect(await app().client.call('globalSettings', { params })).toMatchObject({ isReadOnly: false });
  // Alone, the key does what it always does, also while the press before is still being saved.
  const sent: unknown[] = [];
  const release = Promise.withResolvers<void>();
  await page.route('**/settings/global', async (route) => {
    if (route.request().method() !== 'GET') {
      sent.push(route.request().postDataJSON());
      await release.promise;
    }
    await route.continue();
  });
  await pauseTyping(page);
  await page.keyboard.press('Space');
  await expect(rule).toBeChecked();
  await expect.poll(() => sent).toMatchObject([{ isReadOnly: true }]);
  await pauseTyping(page);
  await page.keyboard.press('Space');
  await expect(rule).not.toBeChecked();
  await expect(page.getByText('Saving…')).toBeVisible();
  release.resolve();
  await expect.poll(() => sent).toMatchObject([{ isReadOnly: true }, { isReadOnly: false }]);
  await expect(page.getByText('Saving…')).toBeHidden();
  await expect(rule).not.toBeChecked();
  await expect
    .poll(() => app().client.call('globalSettings', { params }))
    .toMatchObject({ isReadOnly: false });
});
