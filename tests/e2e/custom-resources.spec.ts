import type { Page } from 'playwright/test';
import { sharedCluster } from './cluster.ts';
import { type Hands, tabTo } from './hands.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import {
  dialogOf,
  filterField,
  gridOf,
  headingOf,
  nameLink,
  rowOf,
  rowsOf,
  sectionOf,
  statusLine,
  toastOf,
} from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const litres = { name: 'Litres', type: 'integer', jsonPath: '.spec.litres' };
const watts = { name: 'Watts', type: 'integer', jsonPath: '.spec.watts' };
const call = (method: string, path: string, body?: unknown) => harbour().cluster.call(method, path, body);

const versionWith = (...additionalPrinterColumns: readonly object[]) => ({
  name: 'v1',
  served: true,
  storage: true,
  additionalPrinterColumns,
  subresources: { scale: { specReplicasPath: '.spec.cups', statusReplicasPath: '.status.cups' } },
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
});

/** Puts the cursor on the only row that a filter leaves. */
async function pointAt(page: Page, name: string): Promise<void> {
  await page.keyboard.press('/');
  await expect(filterField(page)).toBeFocused();
  await page.keyboard.type(name);
  await expect(rowsOf(page, 'Kettles')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(gridOf(page, 'Kettles')).toBeFocused();
}

async function openRow(page: Page, hands: Hands, name: string): Promise<void> {
  if (hands.name === 'pointer') await nameLink(rowOf(page, 'Kettles', name), name).click();
  else {
    await pointAt(page, name);
    await page.keyboard.press('Enter');
  }
  await expect(headingOf(page, name)).toBeVisible();
}

for (const { by, it } of eachHand) {
  it(`a custom resource is listed, opened and followed, labelled and deleted (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const group = `${hands.name}.example.org`;
    const definition = `kettles.${group}`;
    const collection = `/apis/${group}/v1/namespaces/shop/kettles`;
    const kettle = (name: string, spec: object) =>
      call('POST', collection, { apiVersion: `${group}/v1`, kind: 'Kettle', metadata: { name }, spec });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await app().enter(context);

    await test.step('one that the cluster does not have says so, and begins once it has', async () => {
      await page.goto(harbour().url(`/crds/${definition}`));
      await expect(page.getByText(`harbour does not serve ${definition}.`)).toBeVisible();
      await expect(statusLine(page)).toContainText('Not served by this cluster');
      await call('POST', definitions, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: definition },
        spec: {
          group,
          scope: 'Namespaced',
          names: { kind: 'Kettle', plural: 'kettles' },
          versions: [versionWith(litres)],
        },
      });
      await expect(page.getByText('No kettles in harbour')).toBeVisible();
      await expect(statusLine(page)).toContainText(/^Live/);
      await kettle('copper', { litres: 2, watts: 1800 });
      await kettle('steel', { litres: 5, watts: 2400 });
      await expect(rowOf(page, 'Kettles', 'copper')).toContainText('2');
      await expect(rowOf(page, 'Kettles', 'steel')).toContainText('5');
    });

    await test.step('a change of an object, or of its definition, shows without a touch', async () => {
      await call('PATCH', `${collection}/copper`, { spec: { litres: 37 } });
      await expect(rowOf(page, 'Kettles', 'copper')).toContainText('37');
      await call('PATCH', `${definitions}/${definition}`, {
        spec: { versions: [versionWith(litres, watts)] },
      });
      await expect(page.getByRole('columnheader', { name: 'Watts' })).toBeVisible();
      await expect(rowOf(page, 'Kettles', 'copper')).toContainText('1800');
    });

    await test.step('its object is followed as well', async () => {
      await openRow(page, hands, 'copper');
      await expect(statusLine(page)).toContainText(/^Live/);
      await expect(sectionOf(page, 'Metadata')).toBeVisible();
      await call('PATCH', `${collection}/copper`, { status: { phase: 'Boiling' } });
      await expect(page.getByRole('main').getByText('Boiling').first()).toBeVisible();
    });

    await test.step('its fields are read as a tree, and it is scaled by its definition', async () => {
      const tree = page.getByRole('tree', { name: 'Fields of copper' });
      await expect(tree.getByRole('treeitem', { name: /^litres 37/ })).toBeVisible();
      const spec = tree.getByRole('treeitem', { name: /^spec/ });
      if (hands.name === 'pointer') await spec.click();
      else {
        await tabTo(spec);
        await page.keyboard.press('ArrowLeft');
      }
      await expect(tree.getByRole('treeitem', { name: /^litres/ })).toHaveCount(0);
      await page.keyboard.press('ArrowRight');
      await expect(tree.getByRole('treeitem', { name: /^litres/ })).toBeVisible();
      await page.keyboard.press('Shift+S');
      const dialog = dialogOf(page, 'Scale Kettle copper');
      await hands.write(dialog.getByLabel('Replicas'), '3');
      await hands.press(dialog.getByRole('button', { name: 'Scale', exact: true }));
      await expect(toastOf(page, 'Kettle copper scaled')).toBeVisible();
      await expect(tree.getByRole('treeitem', { name: /^cups 3/ })).toBeVisible();
    });

    await test.step('it is read as YAML and labelled', async () => {
      await page.keyboard.press('y');
      await expect(page.getByRole('main').getByText('litres: 37')).toBeVisible();
      await hands.choose(page.getByRole('button', { name: 'More actions', exact: true }), 'Label…');
      const dialog = dialogOf(page, 'Label Kettle copper');
      await hands.press(dialog.getByRole('button', { name: 'Add' }));
      await hands.write(dialog.getByLabel('Key 1'), 'tea');
      await hands.write(dialog.getByLabel('Value 1'), 'green');
      await hands.press(dialog.getByRole('button', { name: 'Copy as kubectl' }));
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toBe(`kubectl label --overwrite kettles.${group}/copper -n shop tea=green`);
      await hands.press(dialog.getByRole('button', { name: 'Label', exact: true }));
      await expect(toastOf(page, 'Kettle copper labelled')).toBeVisible();
      await expect(page.getByRole('main').getByText('tea: green')).toBeVisible();
    });

    await test.step('it is deleted by its key, and its page says so', async () => {
      await page.keyboard.press('Shift+D');
      const dialog = dialogOf(page, 'Delete Kettle copper');
      await hands.press(dialog.getByRole('button', { name: 'Delete', exact: true }));
      await expect(headingOf(page, 'Kettle shop/copper was deleted')).toBeVisible();
    });
  });
}

test('a link that names a kind as owners do leads to the page of its definition', async ({
  page,
  context,
}) => {
  const group = 'owners.example.org';
  await call('POST', definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `kettles.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { kind: 'Kettle', plural: 'kettles' },
      versions: [versionWith(litres)],
    },
  });
  await expect
    .poll(() =>
      call('POST', `/apis/${group}/v1/kettles`, {
        apiVersion: `${group}/v1`,
        kind: 'Kettle',
        metadata: { name: 'tin' },
      }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await app().enter(context);
  await page.goto(harbour().url(`/namespaces/shop/objects/${group}/Kettle/tin?view=yaml`));
  await expect(headingOf(page, 'tin')).toBeVisible();
  await expect(page).toHaveURL(harbour().url(`/crds/kettles.${group}/tin?view=yaml`));
});
