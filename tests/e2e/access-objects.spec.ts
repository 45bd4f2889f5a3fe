import { alertExemptions, expectAccessible, menuExemptions } from './axe.ts';
import { sharedCluster } from './cluster.ts';
import { pointer } from './hands.ts';
import { expect, ownClusters, sharedApp, test } from './kit.ts';
import { nowAndThen } from '../gate/turn.ts';
import { dialogOf, gridOf, headingOf, rowsOf, sectionOf, statusLine } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

// axe reckons: on a machine with much other work these take four times as long.

test.beforeEach(async ({ context }) => {
  await app().enter(context);
});

test('an object, its dialogs and its YAML are accessible', nowAndThen, async ({ page }) => {
  await page.goto(harbour().url('/namespaces/shop/deployments/image-proxy'));
  await expect(headingOf(page, 'image-proxy')).toBeVisible();
  await expect(sectionOf(page, 'Pods').getByRole('link').first()).toBeVisible();
  await expectAccessible(page, 'a broken deployment');

  await page.getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Delete…' })).toBeVisible();
  await expectAccessible(page, 'the menu of its actions', menuExemptions);
  await page.getByRole('menuitem', { name: 'Roll back…' }).click();
  const rollback = dialogOf(page, 'Roll back Deployment image-proxy');
  await rollback.getByRole('radio').first().check();
  await expect(rollback.getByRole('region', { name: /^What revision/ })).toBeVisible();
  await expectAccessible(page, 'rolling it back');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Label…' }).click();
  await dialogOf(page, 'Label Deployment image-proxy').getByRole('button', { name: 'Add' }).click();
  await expectAccessible(page, 'labelling it');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Shift+D');
  await expect(dialogOf(page, 'Delete Deployment image-proxy?')).toBeVisible();
  await expectAccessible(page, 'deleting it', alertExemptions);
  await page.keyboard.press('Escape');

  await page.goto(harbour().url('/namespaces/shop/deployments/image-proxy?view=yaml'));
  await expect(page.getByLabel('YAML of image-proxy')).toContainText('kind: Deployment');
  await expectAccessible(page, 'its YAML');
  await page.goto(harbour().url('/namespaces/shop/deployments/flotsam'));
  await expect(headingOf(page, 'There is no Deployment shop/flotsam in harbour')).toBeVisible();
  await expectAccessible(page, 'an object that is not there');
});

test('a node, a pod, its log and a dashboard are accessible', nowAndThen, async ({ page }) => {
  const { cluster, url } = harbour();
  await page.goto(url('/nodes/worker-a1'));
  await expect(sectionOf(page, 'Pods').getByRole('link').first()).toBeVisible();
  await expectAccessible(page, 'a node');
  const [pod = ''] = await cluster.podNames('shop', 'email-worker-');
  await page.goto(url(`/namespaces/shop/pods/${pod}`));
  await expect(sectionOf(page, 'Containers')).toBeVisible();
  await expectAccessible(page, 'a pod that keeps ending');
  await page.keyboard.press('!');
  await expect(page).toHaveURL(/\?view=why$/);
  await expect(sectionOf(page, 'Why found by rules').getByText('ECONNREFUSED').first()).toBeVisible();
  await expectAccessible(page, 'why it keeps ending');
  await page.goto(url(`/namespaces/shop/pods/${pod}?view=logs&previous=true`));
  await page.getByRole('textbox', { name: 'Search the log' }).fill('ECONNREFUSED');
  // There is no next match before the log has arrived.
  await expect(page.locator('[data-toolbar]').getByRole('status')).toHaveText(/\d/);
  await page.getByRole('button', { name: 'Next match' }).click();
  await expect(page.getByRole('log').locator('[data-log-line][data-current] mark')).toBeVisible();
  await expectAccessible(page, 'its log, searched');
  await page.goto(url());
  await expect(sectionOf(page, 'Needs attention').getByRole('listitem').first()).toBeVisible();
  await expect(page.getByRole('table', { name: 'Recent warnings' }).getByRole('row').nth(1)).toBeVisible();
  await expectAccessible(page, 'the dashboard');
});

test('selected rows, the menu of columns and an empty list are accessible', nowAndThen, async ({ page }) => {
  await page.goto(harbour().url('/deployments?ns=payments'));
  await expect(statusLine(page)).toContainText(/^Live/);
  await expect(rowsOf(page, 'Deployments').first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(gridOf(page, 'Deployments')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByRole('status').filter({ hasText: / selected$/ })).toBeVisible();
  await expectAccessible(page, 'selected rows');
  await page.getByRole('button', { name: 'More actions on the selected rows' }).click();
  await page.getByRole('menuitem', { name: 'Scale…' }).click();
  await expect(dialogOf(page, /^Scale \d+ deployments$/)).toBeVisible();
  await expectAccessible(page, 'scaling several');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear the selection' }).click();
  await page.getByRole('button', { name: 'Columns' }).click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Wide table' })).toBeVisible();
  await expectAccessible(page, 'the menu of columns', menuExemptions);
  await page.keyboard.press('Escape');
  await page.goto(harbour().url('/pods?ns=kube-public'));
  await expect(page.getByRole('heading', { name: 'No pods in kube-public' })).toBeVisible();
  await expectAccessible(page, 'an empty list');
  await page.goto(harbour().url('/namespaces'));
  await page.getByRole('button', { name: 'Create namespace' }).click();
  await dialogOf(page, 'Create namespace').getByRole('button', { name: 'Add' }).click();
  await expectAccessible(page, 'creating a namespace');
});

test(
  'creating, editing and comparing objects, a secret, a release and a terminal are accessible',
  nowAndThen,
  async ({ page }) => {
    const { cluster, url } = harbour();
    await page.goto(url('/namespaces/shop/deployments/checkout?view=edit'));
    await expect(page.getByText('No changes yet.')).toBeVisible();
    await expectAccessible(page, 'editing an object');
    await page.getByRole('button', { name: 'Create Resource' }).first().click();
    const hands = pointer(page);
    const type = page.getByRole('combobox', { name: 'Resource type', exact: true });
    await type.click();
    await expectAccessible(page, 'choosing the type of a resource', menuExemptions);
    await type.click();
    await hands.select(type, 'Deployment');
    await hands.select(page.getByLabel('Template', { exact: true }), 'basic');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect(page.getByText('Valid', { exact: true })).toBeVisible();
    await expectAccessible(page, 'creating a resource');
    await page.goto(url('/namespaces/shop/deployments/checkout?view=compare&to=1%2Fshop%2Fcart'));
    await expect(page.getByRole('region', { name: /^Difference 1 of/ })).toBeVisible();
    await expectAccessible(page, 'comparing two objects');
    await page.goto(url('/namespaces/shop/secrets/shop-postgres-app'));
    await page.getByRole('button', { name: 'Reveal password' }).click();
    await expect(page.getByLabel('Value of password', { exact: true })).toBeVisible();
    await expectAccessible(page, 'a secret with a value revealed');
    await page.goto(url('/namespaces/observability/releases/grafana/history'));
    await expect(page.getByRole('region', { name: 'Compare revisions' })).toContainText('added: ');
    await expectAccessible(page, 'the history of a release');
    const [pod = ''] = await cluster.podNames('shop', 'checkout-');
    await page.goto(url(`/namespaces/shop/pods/${pod}?view=shell`));
    await expect(page.getByRole('status').filter({ hasText: /^Running/ })).toBeVisible();
    await expectAccessible(page, 'a shell');
  },
);
