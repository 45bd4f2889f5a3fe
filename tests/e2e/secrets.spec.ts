import type { Page } from 'playwright/test';
import { sharedCluster } from './cluster.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { dialogOf, gridOf, headingOf, rowOf, sectionOf, statusLine } from './places.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

/** Opens a page of the cluster and waits until it is live. */
async function openLive(page: Page, path: string): Promise<void> {
  await page.goto(harbour().url(path));
  await expect(statusLine(page)).toContainText(/^Live/);
}

/** A release of the playground for each pair of hands, with a revision to go back to and the one that follows. */
const releases = {
  pointer: { namespace: 'observability', name: 'grafana', back: 1, next: 5 },
  keyboard: { namespace: 'ingress', name: 'cert-manager', back: 1, next: 3 },
} as const;

for (const { by, it } of eachHand) {
  it(
    `a key of a secret is revealed, a release rolled back and a node drained (${by})`,
    inBothHands,
    async ({ page, context, hands, isWhole }) => {
      await app().enter(context);

      if (isWhole)
        await test.step('secrets of Helm are left out of the list until they are asked for', async () => {
          await openLive(page, '/secrets?q=cert-manager');
          const kept = rowOf(page, 'Secrets', 'sh.helm.release.v1.cert-manager.v1');
          await expect(kept).toBeHidden();
          await hands.press(page.getByRole('button', { name: /^Helm releases/ }));
          await expect(kept).toBeVisible();
          await expect(gridOf(page, 'Secrets')).not.toContainText('invented');
        });

      await test.step('a key is shown when it is asked for, and hidden again', async () => {
        await openLive(page, '/namespaces/shop/secrets/shop-postgres-app');
        const value = page.getByLabel('Value of password', { exact: true });
        await expect(sectionOf(page, 'Data')).toContainText('8 bytes');
        await expect(value).toBeHidden();
        await hands.press(page.getByRole('button', { name: 'Reveal password' }));
        await expect(value).toHaveText('invented');
        await hands.press(page.getByRole('button', { name: 'Hide password' }));
        await expect(value).toBeHidden();
        await hands.press(page.getByRole('button', { name: 'YAML', exact: true }));
        await expect(page.getByLabel('YAML of shop-postgres-app')).toContainText('password: <masked>');
      });

      await test.step('a release is rolled back, with what changes seen first', async () => {
        const { namespace, name, back, next } = releases[hands.name];
        await openLive(page, `/namespaces/${namespace}/releases/${name}`);
        await expect(sectionOf(page, 'Resources')).toContainText('Deployment');
        await hands.press(page.getByRole('link', { name: /^Compare the/ }));
        await expect(headingOf(page, `History of ${name}`)).toBeVisible();
        await expect(page.getByRole('region', { name: 'Compare revisions' })).toContainText('added: ');
        await hands.press(page.getByRole('button', { name: `Roll back to revision ${back}` }));
        const dialog = dialogOf(page, /Roll back Release/);
        await expect(dialog.getByRole('region', { name: 'What will change' })).toContainText('removed: ');
        await hands.press(dialog.getByRole('button', { name: 'Roll back', exact: true }));
        await expect(dialog).toBeHidden();
        const job = page.getByRole('region', { name: `Roll back ${name} to revision ${back}` });
        await expect(job).toContainText(
          `${name} is now at revision ${next}, with the contents of revision ${back}.`,
        );
        await expect(page.getByRole('cell', { name: `Rollback to ${back}` }).first()).toBeVisible();
      });

      await test.step('a node is drained by the server', async () => {
        const node = `berth-${hands.name}`;
        const body = { apiVersion: 'v1', kind: 'Node', metadata: { name: node } };
        await harbour().cluster.call('POST', '/api/v1/nodes', body);
        await openLive(page, `/nodes/${node}`);
        await hands.press(page.getByRole('button', { name: 'Drain…' }));
        const dialog = dialogOf(page, `Drain Node ${node}?`);
        await expect(dialog).toContainText('The node is cordoned first: no new pods are scheduled on it.');
        await hands.press(dialog.getByRole('button', { name: 'Drain', exact: true }));
        await expect(dialog).toBeHidden();
        await expect(page.getByRole('region', { name: `Drain node ${node}` })).toContainText(
          'The node is drained',
        );
        await expect(page.getByRole('button', { name: 'Uncordon' })).toBeVisible();
      });
    },
  );
}
