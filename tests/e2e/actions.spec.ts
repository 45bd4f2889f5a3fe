import type { Locator, Page } from 'playwright/test';
import { deploymentOf, deploymentsIn, namespaceOf, sharedCluster } from './cluster.ts';
import { armed, type Hands, tabTo } from './hands.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import {
  dialogOf,
  filterField,
  gridOf,
  headingOf,
  rowOf,
  rowsOf,
  sectionOf,
  statusLine,
  toastOf,
} from './places.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

// Long walks by Tab: on a machine with much other work they take four times as long.

const more = (page: Page): Locator => page.getByRole('button', { name: 'More actions', exact: true });
const moreOnSelected = (page: Page): Locator =>
  page.getByRole('button', { name: 'More actions on the selected rows' });
const read = (path: string): Promise<unknown> => harbour().cluster.call('GET', path);
const exists = (path: string): Promise<boolean> =>
  read(path).then(
    () => true,
    () => false,
  );
const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** Opens a page of the cluster and waits until it is live. */
async function openLive(page: Page, path: string): Promise<void> {
  await page.goto(harbour().url(path));
  await expect(statusLine(page)).toContainText(/^Live/);
}

/** Somebody with a keyboard stands somewhere: not at the beginning of the page. */
const expectFocusKept = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => document.activeElement?.tagName), { message: 'what has the focus' })
    .not.toBe('BODY');

/** A toast says what was done; it is not in the way of what comes next. */
const expectTold = (page: Page, text: string): Promise<void> => expect(toastOf(page, text)).toBeVisible();

/** Presses the button that does what a dialog asks about, and waits for the dialog to go. */
async function confirm(hands: Hands, dialog: Locator, button: string): Promise<void> {
  await hands.press(dialog.getByRole('button', { name: button, exact: true }));
  await expect(dialog).toBeHidden();
  await expectFocusKept(dialog.page());
}

/** Selects every row of a list that a filter leaves, the way these hands do. */
async function selectAll(page: Page, hands: Hands, title: string, filter: string, count: number) {
  if (hands.name === 'keyboard') {
    await page.keyboard.press('/');
    await expect(filterField(page)).toBeFocused();
    await page.keyboard.type(filter);
    await expect(rowsOf(page, title)).toHaveCount(count);
    await page.keyboard.press('Enter');
    await expect(gridOf(page, title)).toBeFocused();
    await page.keyboard.press('ControlOrMeta+a');
  } else {
    await filterField(page).fill(filter);
    await expect(rowsOf(page, title)).toHaveCount(count);
    for (const row of await rowsOf(page, title).all()) await row.getByRole('checkbox').click();
  }
  await expect(page.getByRole('status').filter({ hasText: `${count} selected` })).toBeVisible();
}

/** Selects rows one by one: the selection stands while the filter shows others. */
async function selectEach(page: Page, hands: Hands, title: string, names: readonly string[]) {
  for (const name of names) {
    if (hands.name === 'keyboard') {
      await page.keyboard.press('/');
      await expect(filterField(page)).toBeFocused();
      await page.keyboard.type(name);
      await expect(rowsOf(page, title)).toHaveCount(1);
      await page.keyboard.press('Enter');
      await expect(gridOf(page, title)).toBeFocused();
      await page.keyboard.press('Space');
    } else {
      await filterField(page).fill(name);
      await expect(rowsOf(page, title)).toHaveCount(1);
      await rowOf(page, title, name).getByRole('checkbox').click();
    }
    await expect(rowOf(page, title, name)).toHaveAttribute('aria-selected', 'true');
  }
  await expect(page.getByRole('status').filter({ hasText: `${names.length} selected` })).toBeVisible();
}

/** Creates a namespace by its dialog. */
async function createNamespace(page: Page, hands: Hands, namespace: string): Promise<void> {
  await test.step('a namespace is created with its labels', async () => {
    await openLive(page, '/namespaces');
    await hands.press(page.getByRole('button', { name: 'Create namespace' }));
    const dialog = dialogOf(page, 'Create namespace');
    await hands.write(dialog.getByLabel('Name'), namespace);
    await hands.press(dialog.getByRole('button', { name: 'Add' }));
    await hands.write(dialog.getByLabel('Key 1'), 'team');
    await hands.write(dialog.getByLabel('Value 1'), 'harbour');
    await confirm(hands, dialog, 'Create namespace');
    await expectTold(page, `Namespace ${namespace} created`);
    expect(await read(`/api/v1/namespaces/${namespace}`)).toMatchObject({
      metadata: { labels: { team: 'harbour' } },
    });
    await expect(rowOf(page, 'Namespaces', namespace)).toBeVisible();
  });
}

/** Asks for a roll back where there is no earlier revision. */
async function tryRollBack(page: Page, namespace: string): Promise<void> {
  await test.step('a roll back that cannot be done is refused with its reason, and the focus is kept', async () => {
    await openLive(page, `/deployments?ns=${namespace}`);
    await page.keyboard.press('Shift+B');
    // Where the server takes long to judge it, the reason shows in the dialog instead.
    await expect(page.getByText('There is no earlier revision to roll back to.').first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialogOf(page, 'Roll back Deployment crane')).toBeHidden();
    expect(await read(deploymentsIn(namespace, 'crane'))).toMatchObject({
      metadata: { generation: 1 },
    });
  });
}

/** Restarts and scales the deployment whose page is open. */
async function restartAndScale(page: Page, hands: Hands, namespace: string): Promise<void> {
  const isKeyboard = hands.name === 'keyboard';
  const path = deploymentsIn(namespace, 'crane');
  await test.step('restarted: its key asks first, and Enter on the verb does it', async () => {
    if (isKeyboard) await page.keyboard.press('r');
    else await page.getByRole('button', { name: 'Restart' }).click();
    const dialog = dialogOf(page, 'Restart Deployment crane');
    const verb = dialog.getByRole('button', { name: 'Restart', exact: true });
    await expect(verb).toBeFocused();
    const restarted = 'kubectl.kubernetes.io/restartedAt';
    expect(JSON.stringify(await read(path)), 'asking changes nothing').not.toContain(restarted);
    await armed(verb);
    if (isKeyboard) await page.keyboard.press('Enter');
    else await verb.click();
    await expect(toastOf(page, 'Deployment crane restarted')).toContainText(`${namespace} · harbour`);
    await expectTold(page, 'Deployment crane restarted');
    const annotations = { 'kubectl.kubernetes.io/restartedAt': expect.any(String) };
    expect(await read(path)).toMatchObject({ spec: { template: { metadata: { annotations } } } });
  });

  await test.step('scaled, with what will change seen first and a line for kubectl', async () => {
    if (isKeyboard) await page.keyboard.press('Shift+S');
    else await page.getByRole('button', { name: 'Scale…' }).click();
    const dialog = dialogOf(page, 'Scale Deployment crane');
    const field = dialog.getByRole('spinbutton', { name: 'Replicas' });
    await expect(field).toHaveValue('2');
    await hands.write(field, '3');
    await hands.press(dialog.getByRole('button', { name: 'Show what will change' }));
    const change = dialog.getByRole('region', { name: 'What will change' });
    await expect(change).toContainText('removed: replicas: 2');
    await expect(change).toContainText('added: replicas: 3');
    await hands.press(dialog.getByRole('button', { name: 'Copy as kubectl' }));
    await expect
      .poll(() => clipboard(page))
      .toBe(`kubectl scale deployment/crane -n ${namespace} --replicas=3`);
    expect(await read(path), 'looking changes nothing').toMatchObject({ spec: { replicas: 2 } });
    await confirm(hands, dialog, 'Scale');
    await expectTold(page, 'Deployment crane scaled: 2 → 3');
    expect(await read(path)).toMatchObject({ spec: { replicas: 3 } });
    await expect(sectionOf(page, 'Pods').getByRole('link', { name: /^crane-/ })).toHaveCount(3);
  });
}

/** Labels and annotates the deployment whose page is open. */
async function label(page: Page, hands: Hands, path: string): Promise<void> {
  await test.step('labelled and annotated', async () => {
    await hands.choose(more(page), 'Label…');
    const labels = dialogOf(page, 'Label Deployment crane');
    await expect(labels.getByLabel('Key 1')).toHaveValue('app');
    await hands.press(labels.getByRole('button', { name: 'Add' }));
    await hands.write(labels.getByLabel('Key 2'), 'berth');
    await hands.write(labels.getByLabel('Value 2'), 'not a label value');
    await hands.press(labels.getByRole('button', { name: 'Label', exact: true }));
    await expect(labels.getByRole('alert')).toContainText('Nothing was changed.');
    await hands.write(labels.getByLabel('Value 2'), 'seven');
    await confirm(hands, labels, 'Label');
    await expectTold(page, 'Deployment crane labelled');
    await expect(sectionOf(page, 'Metadata')).toContainText('berth=seven');

    await hands.choose(more(page), 'Annotate…');
    const annotations = dialogOf(page, 'Annotate Deployment crane');
    await hands.press(annotations.getByRole('button', { name: 'Add' }));
    await hands.write(annotations.getByLabel(/^Key/).last(), 'example.org/crew');
    await hands.write(annotations.getByLabel(/^Value/).last(), 'night shift');
    await confirm(hands, annotations, 'Annotate');
    await expectTold(page, 'Deployment crane annotated');
    expect(await read(path)).toMatchObject({
      metadata: {
        labels: { app: 'crane', berth: 'seven' },
        annotations: { 'example.org/crew': 'night shift' },
      },
    });
  });
}

/** Rolls the deployment back whose page is open. */
async function rollBack(page: Page, hands: Hands, namespace: string): Promise<void> {
  const isKeyboard = hands.name === 'keyboard';
  const path = deploymentsIn(namespace, 'crane');
  const { cluster } = harbour();
  await test.step('rolled back, with the difference seen first', async () => {
    const template = { spec: { containers: [{ name: 'app', image: 'registry.example.org/app:2.0.0' }] } };
    await cluster.call('PATCH', path, { spec: { template } });
    await expect(sectionOf(page, 'Spec')).toContainText('app:2.0.0');
    if (isKeyboard) await page.keyboard.press('Shift+B');
    else await hands.choose(more(page), 'Roll back…');
    const dialog = dialogOf(page, 'Roll back Deployment crane');
    // The revision before is meant, unless another is chosen.
    const before = dialog.getByRole('radio', { name: /^Revision 2 / });
    await expect(before).toBeChecked();
    await expect(
      dialog.getByRole('region', { name: 'What revision 2 changes in the pod template' }),
    ).toContainText('app:1.0.0');
    const first = dialog.getByRole('radio', { name: /^Revision 1 / });
    if (isKeyboard) {
      // The choice has the focus as soon as it is there, and the arrows reach the others.
      await expect(before).toBeFocused();
      await page.keyboard.press('ArrowDown');
    } else await hands.tick(first);
    await expect(first).toBeChecked();
    const change = dialog.getByRole('region', { name: 'What revision 1 changes in the pod template' });
    await expect(change).toContainText(/removed: .*image: registry\.example\.org\/app:2\.0\.0/);
    await expect(change).toContainText(/added: .*image: registry\.example\.org\/app:1\.0\.0/);
    await hands.press(dialog.getByRole('button', { name: 'Copy as kubectl' }));
    await expect
      .poll(() => clipboard(page))
      .toBe(`kubectl rollout undo deployment/crane -n ${namespace} --to-revision=1`);
    await confirm(hands, dialog, 'Roll back');
    await expectTold(page, 'Deployment crane rolled back: revision 1');
    expect(await read(path)).toMatchObject({
      spec: { template: { spec: { containers: [{ image: 'registry.example.org/app:1.0.0' }] } } },
    });
    await expect(sectionOf(page, 'Spec')).toContainText('app:1.0.0');
  });
}

/** Expects that the dialog says who sets a count again that somebody is about to set. */
async function expectScalerTold(page: Page, hands: Hands): Promise<void> {
  const { url } = harbour();
  await test.step('of a count that an autoscaler sets the dialog says so, and forbids nothing', async () => {
    await page.goto(url('/namespaces/shop/deployments/storefront'));
    await expect(headingOf(page, 'storefront')).toBeVisible();
    if (hands.name === 'keyboard') await page.keyboard.press('Shift+S');
    else await page.getByRole('button', { name: 'Scale…' }).click();
    const dialog = dialogOf(page, 'Scale Deployment storefront');
    await expect(dialog.getByRole('status').filter({ hasText: 'Who writes it next' })).toContainText(
      'HorizontalPodAutoscaler storefront will scale this again, between 4 and 8.',
    );
    await hands.write(dialog.getByRole('spinbutton', { name: 'Replicas' }), '2');
    await expect(dialog.getByRole('button', { name: 'Scale', exact: true })).toBeEnabled();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });
}

/** Cordons a node, and takes that back. */
async function cordon(page: Page, hands: Hands): Promise<void> {
  await test.step('a node takes no more pods, and takes them again', async () => {
    const node = '/api/v1/nodes/worker-b2';
    await openLive(page, '/nodes/worker-b2');
    await hands.press(page.getByRole('button', { name: 'Cordon', exact: true }));
    await confirm(hands, dialogOf(page, 'Cordon Node worker-b2'), 'Cordon');
    await expect(page.getByRole('button', { name: 'Uncordon' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Ready, cordoned');
    expect(await read(node)).toMatchObject({ spec: { unschedulable: true } });
    await hands.press(page.getByRole('button', { name: 'Uncordon' }));
    await confirm(hands, dialogOf(page, 'Uncordon Node worker-b2'), 'Uncordon');
    await expect(page.getByRole('button', { name: 'Cordon', exact: true })).toBeVisible();
    expect(await read(node)).not.toMatchObject({ spec: { unschedulable: true } });
  });
}

for (const { by, it } of eachHand) {
  it(
    `a deployment is restarted, scaled, labelled, rolled back and deleted (${by})`,
    inBothHands,
    async ({ page, context, hands, isWhole }) => {
      const isKeyboard = hands.name === 'keyboard';
      const { cluster } = harbour();
      const namespace = `yard-${hands.name}`;
      const path = deploymentsIn(namespace, 'crane');
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await app().enter(context);

      if (isWhole) await createNamespace(page, hands, namespace);
      else await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
      await cluster.call('POST', deploymentsIn(namespace), deploymentOf('crane', { replicas: 2 }));
      if (isWhole && isKeyboard) await tryRollBack(page, namespace);
      await openLive(page, `/namespaces/${namespace}/deployments/crane`);

      if (isWhole) {
        await restartAndScale(page, hands, namespace);
        await label(page, hands, path);
        await rollBack(page, hands, namespace);
      }

      await test.step('deleted alone: what it owns is kept', async () => {
        if (isKeyboard) await page.keyboard.press('Shift+D');
        else await hands.choose(more(page), 'Delete…');
        const dialog = dialogOf(page, 'Delete Deployment crane?');
        await hands.select(dialog.getByLabel('Dependents'), 'Keep');
        await expect(dialog).toContainText('Everything that it owns stays, without an owner.');
        await hands.press(dialog.getByRole('button', { name: 'Copy as kubectl' }));
        await expect
          .poll(() => clipboard(page))
          .toMatch(/^kubectl delete deployment.*crane.* --cascade=orphan$/);
        await confirm(hands, dialog, 'Delete');
        await expect(headingOf(page, `Deployment ${namespace}/crane was deleted`)).toBeVisible();
        expect(await exists(path)).toBe(false);
        expect(await read(`/apis/apps/v1/namespaces/${namespace}/replicasets`)).toMatchObject({
          items: expect.arrayContaining([
            expect.objectContaining({
              metadata: expect.not.objectContaining({ ownerReferences: expect.anything() }),
            }),
          ]),
        });
      });

      if (isWhole) await expectScalerTold(page, hands);
    },
  );

  it(
    `nodes are cordoned, pods evicted, and what a budget forbids is said (${by})`,
    inBothHands,
    async ({ page, context, hands, isWhole }) => {
      const isKeyboard = hands.name === 'keyboard';
      const { cluster } = harbour();
      await app().enter(context);

      if (isWhole) await cordon(page, hands);
      const namespace = `dock-${hands.name}`;
      await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
      await cluster.call('POST', deploymentsIn(namespace), deploymentOf('winch'));
      await expect.poll(() => cluster.podNames(namespace, 'winch-')).toHaveLength(1);
      const [pod = ''] = await cluster.podNames(namespace, 'winch-');

      await test.step('a pod is evicted after it was asked', async () => {
        await openLive(page, `/namespaces/${namespace}/pods/${pod}`);
        await hands.choose(more(page), 'Evict…');
        const dialog = dialogOf(page, `Evict Pod ${pod}?`);
        await expect(dialog.locator(':focus')).toHaveCount(1);
        await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
        await expect(dialog).toContainText(`harbour / ${namespace} / ${pod}`);
        await confirm(hands, dialog, 'Evict');
        await expectTold(page, `Pod ${pod} evicted`);
        await expect.poll(() => cluster.podNames(namespace, 'winch-')).not.toContain(pod);
      });

      await test.step('of two pods one is kept by its budget: both outcomes are told', async () => {
        await expect.poll(() => cluster.podNames(namespace, 'winch-')).toHaveLength(1);
        const [other = ''] = await cluster.podNames(namespace, 'winch-');
        await openLive(page, '/pods?sort=name');
        await selectEach(page, hands, 'Pods', [other, 'vault-0']);
        await hands.choose(moreOnSelected(page), 'Evict…');
        const dialog = dialogOf(page, 'Evict 2 pods?');
        await confirm(hands, dialog, 'Evict 2 pods');
        const toast = toastOf(page, '1 of 2 pods evicted');
        await expect(toast).toContainText('platform/vault-0: ');
        await expect(toast).toContainText('cannot be evicted now');
        await expect.poll(() => cluster.podNames(namespace, 'winch-')).not.toContain(other);
        expect(await cluster.podNames('platform', 'vault-0')).toEqual(['vault-0']);

        const dismiss = toast.getByRole('button', { name: 'Dismiss' });
        if (isKeyboard) {
          await tabTo(dismiss);
          await page.keyboard.press('Escape');
          await expectFocusKept(page);
        } else await dismiss.click();
        await expect(toast).toHaveCount(0);
      });
    },
  );

  it(`several deployments are acted on together (${by})`, async ({ page, context, hands }) => {
    const { cluster } = harbour();
    const namespace = `fleet-${hands.name}`;
    await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
    const names = ['tug-1', 'tug-2', 'tug-3'];
    for (const name of names)
      await cluster.call('POST', deploymentsIn(namespace), deploymentOf(name, { replicas: 0 }));
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'tug-2' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'tug-2' },
        minReplicas: 1,
        maxReplicas: 2,
      },
    };
    await cluster.call(
      'POST',
      `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`,
      autoscaler,
    );
    await app().enter(context);
    await openLive(page, `/deployments?ns=${namespace}`);
    await selectAll(page, hands, 'Deployments', 'tug-', 3);

    await test.step('what will become of each is seen first', async () => {
      await hands.choose(moreOnSelected(page), 'Scale…');
      const dialog = dialogOf(page, 'Scale 3 deployments');
      for (const name of names) await expect(dialog).toContainText(`harbour / ${namespace} / ${name}`);
      await hands.write(dialog.getByRole('spinbutton', { name: 'Replicas' }), '1');
      await hands.press(dialog.getByRole('button', { name: 'Show what will change' }));
      await expect(
        dialog.getByRole('region', { name: `What will change in ${namespace}/tug-1` }),
      ).toContainText('added: replicas: 1');
      await expect(dialog.getByRole('status').filter({ hasText: 'Who writes it next' })).toContainText(
        `${namespace}/tug-2: HorizontalPodAutoscaler tug-2`,
      );
      await confirm(hands, dialog, 'Scale 3 deployments');
      const toast = toastOf(page, '3 deployments scaled');
      await expect(toast).toBeVisible();
      for (const name of names)
        expect(await read(deploymentsIn(namespace, name))).toMatchObject({ spec: { replicas: 1 } });
      await hands.press(toast.getByRole('button', { name: 'Dismiss' }));
    });

    await test.step('the selection stands, and all of it is deleted', async () => {
      await hands.press(page.getByRole('button', { name: 'Delete', exact: true }));
      const dialog = dialogOf(page, 'Delete 3 deployments?');
      await confirm(hands, dialog, 'Delete 3 deployments');
      await expect(toastOf(page, '3 deployments deleted')).toBeVisible();
      for (const name of names) await expect.poll(() => exists(deploymentsIn(namespace, name))).toBe(false);
      await expect(page.getByRole('heading', { name: `No deployments in ${namespace}` })).toBeVisible();
    });
  });
}
