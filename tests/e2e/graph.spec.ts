import { expectAccessible } from './axe.ts';
import { deploymentOf, deploymentsIn, namespaceOf, sharedCluster } from './cluster.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { headingOf, plainCell, rowOf, statusLine } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);
const call = (method: string, path: string, body?: unknown) => harbour().cluster.call(method, path, body);

for (const { by, it } of eachHand) {
  it(`what ties objects together is drawn and read as a tree, walked, followed live and linked to (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const isPointer = hands.name === 'pointer';
    await app().enter(context);
    const namespace = `graph-${hands.name}`;
    await call('POST', '/api/v1/namespaces', namespaceOf(namespace));
    await call('POST', `/api/v1/namespaces/${namespace}/configmaps`, {
      metadata: { name: 'kettle-mode' },
      data: { mode: 'hot' },
    });
    const deployment = deploymentOf('kettle', { replicas: 2 }) as {
      spec: { template: { spec: { containers: object[] } } };
    };
    deployment.spec.template.spec.containers = [
      { name: 'app', image: 'a:1', envFrom: [{ configMapRef: { name: 'kettle-mode' } }] },
    ];
    await call('POST', deploymentsIn(namespace), deployment);
    await call('POST', `/api/v1/namespaces/${namespace}/services`, {
      metadata: { name: 'kettle' },
      spec: { selector: { app: 'kettle' }, ports: [{ port: 80 }] },
    });
    const drawn = page.getByRole('application', { name: 'Graph of Deployment kettle' });
    const node = (name: string | RegExp) => drawn.getByRole('img', { name });
    const tree = page.getByRole('tree');
    const line = (name: string | RegExp) => tree.getByRole('treeitem', { name });
    /** Brings the cursor to an object: by a click, or by arrows. */
    const goTo = async (name: RegExp, ...keys: readonly string[]) => {
      if (isPointer) await node(name).click();
      else for (const key of keys) await page.keyboard.press(key);
      await expect(drawn.locator('[data-cursor]')).toHaveAccessibleName(name);
    };

    await test.step('from a row of a list', async () => {
      await page.goto(harbour().url(`/deployments?ns=${namespace}`));
      await expect(rowOf(page, 'Deployments', 'kettle')).toBeVisible();
      if (isPointer) {
        await plainCell(rowOf(page, 'Deployments', 'kettle')).click({ button: 'right' });
        await page.getByRole('menuitem', { name: 'Show graph of this' }).click();
      } else {
        await page.getByRole('grid', { name: 'Deployments' }).focus();
        await page.keyboard.press('Shift+V');
      }
      await expect(page).toHaveURL(/deployments\/kettle\?view=graph/);
      await expect(statusLine(page)).toContainText(/^Live/);
      for (const name of [
        /^Deployment kettle,/,
        /^ReplicaSet kettle-/,
        /^Service kettle,/,
        /^ConfigMap kettle-mode,/,
      ])
        await expect(node(name)).toBeVisible();
      await expect(node(/^Pod kettle-/)).toHaveCount(2);
    });

    await test.step('along its edges, and open what is there', async () => {
      await drawn.focus();
      await goTo(/^Deployment kettle,/);
      await goTo(/^ReplicaSet kettle-/, 'ArrowRight');
      await expectAccessible(page, 'the graph of a deployment');
      if (isPointer) await hands.press(page.getByRole('button', { name: 'Open', exact: true }));
      else await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/replicasets\/kettle-/);
      await page.goBack();
      await expect(node(/^ReplicaSet kettle-/)).toBeVisible();
    });

    await test.step('what changes in the cluster changes in it', async () => {
      await call('PATCH', deploymentsIn(namespace, 'kettle'), { spec: { replicas: 3 } });
      await expect(node(/^Pod kettle-/)).toHaveCount(3);
    });

    await test.step('the tree says the same', async () => {
      if (isPointer) await page.getByRole('button', { name: 'Tree', exact: true }).click();
      else await page.keyboard.press('t');
      await expect(page).toHaveURL(/form=tree/);
      await expect(line(/Deployment kettle/)).toBeVisible();
      await expect(line(/^Pod kettle-/)).toHaveCount(3);
      await expect(line(/uses ConfigMap kettle-mode/)).toBeVisible();
      await expectAccessible(page, 'the tree of a deployment');
      const first = tree.getByRole('treeitem').first();
      if (isPointer) await first.locator('[data-part="twisty"]').click();
      else {
        await tree.focus();
        await page.keyboard.press('Home');
        await page.keyboard.press('ArrowLeft');
      }
      await expect(first).toHaveAttribute('aria-expanded', 'false');
      await expect(line(/^Pod kettle-/)).toHaveCount(0);
    });

    await test.step('a namespace has one of its own, by its link', async () => {
      await page.goto(harbour().url(`/visualization/resources?ns=${namespace}&form=tree`));
      const config = line(/^ConfigMap kettle-mode/);
      await expect(config).toBeVisible();
      if (isPointer) await config.locator('[data-part="name"]').click();
      else {
        await tree.focus();
        for (let step = 0; step < 40; step += 1) {
          if ((await config.getAttribute('aria-selected')) === 'true') break;
          await page.keyboard.press('j');
        }
        await page.keyboard.press('Enter');
      }
      await expect(headingOf(page, 'kettle-mode')).toBeVisible();
    });
  });
}
