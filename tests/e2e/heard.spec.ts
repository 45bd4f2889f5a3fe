import type { Page } from 'playwright/test';
import { deploymentOf, deploymentsIn, namespaceOf, sharedCluster } from './cluster.ts';
import { keyboard, tabTo } from './hands.ts';
import { expect, ownClusters, owner, sharedApp, test } from './kit.ts';
import { listenTo } from './listener.ts';
import { dialogOf, focusedTile, gridOf, headingOf, podsOf, statusLine, toastOf } from './places.ts';

/**
 * What a screen reader is told on the main journeys, worked by the keyboard alone: one text file each in `heard/`.
 * `npm run e2e -- heard --update-snapshots` writes them anew; read what changed.
 */
const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);
const namespace = 'pier';

test.beforeAll(async () => {
  const { cluster } = harbour();
  await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
  await cluster.call('POST', deploymentsIn(namespace), deploymentOf('lamp', { replicas: 2 }));
  await cluster.call('POST', deploymentsIn(namespace), deploymentOf('buoy'));
  for (const name of ['lamp', 'buoy'])
    await expect
      .poll(() => cluster.call('GET', deploymentsIn(namespace, name)))
      .toMatchObject({ status: { availableReplicas: name === 'lamp' ? 2 : 1 } });
});

/** Opens a page of the cluster and waits until it is live. */
async function openLive(page: Page, path: string): Promise<void> {
  await app().enter(page.context());
  await page.goto(harbour().url(path));
  await expect(statusLine(page)).toHaveText('Live');
}

test('signing in', async ({ page, withoutMouse, allow }) => {
  await withoutMouse();
  allow(/status of 401/, /failed with 401/);
  const heard = await listenTo(page);
  const hands = keyboard(page);
  await page.goto(`${app().url}/login`);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await heard.note('The page of a person who is not signed in', page.locator('body'));
  await page.keyboard.type(owner.email);
  await hands.write(page.getByLabel(/^Password/), 'something else entirely');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel(/^Password/)).toBeFocused();
  await heard.note('After a wrong password', page.getByRole('alert'));
  await hands.write(page.getByLabel(/^Password/), owner.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const link = page.getByRole('link', { name: 'harbour', exact: true });
  await expect(link).toBeVisible();
  await expect(link).toBeFocused();
  await heard.note('Signed in');
  expect(heard.text()).toMatchSnapshot('sign-in.txt');
});

test('listing and filtering pods', async ({ page, withoutMouse }) => {
  await withoutMouse();
  await openLive(page, `/pods?ns=${namespace}`);
  const heard = await listenTo(page);
  await expect(podsOf(page).getByRole('row')).toHaveCount(4);
  await expect(page.getByRole('status').filter({ hasText: '3 pods' })).toHaveCount(1);
  await heard.note('The list', page.getByRole('tabpanel').locator('[data-toolbar]'));
  await expect(podsOf(page)).toHaveAttribute('aria-multiselectable', 'true');
  await expect(podsOf(page)).toHaveAttribute('aria-rowcount', '4');
  await page.keyboard.press('/');
  await page.keyboard.type('buoy');
  await expect(podsOf(page).getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('status').filter({ hasText: '1 of 3' })).toHaveCount(1);
  await heard.note('Filtered by typing');
  await page.keyboard.press('Enter');
  await expect(podsOf(page)).toBeFocused();
  await page.keyboard.press('Home');
  await heard.note('On the first row');
  await page.keyboard.press('Space');
  await expect(page.getByRole('status').filter({ hasText: '1 selected' })).toHaveCount(1);
  await heard.note('Selected');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(podsOf(page).getByRole('row')).toHaveCount(4);
  await expect(page.getByRole('status').filter({ hasText: '3 pods' })).toHaveCount(1);
  await heard.note('Neither selected nor filtered');
  expect(heard.text()).toMatchSnapshot('list.txt');
});

test('reading a detail and its logs', async ({ page, withoutMouse }) => {
  await withoutMouse();
  const [pod = ''] = await harbour().cluster.podNames(namespace, 'buoy-');
  await openLive(page, `/pods?ns=${namespace}&q=buoy`);
  const heard = await listenTo(page);
  await podsOf(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(headingOf(page, pod)).toBeVisible();
  await expect(page.getByRole('region', { name: /^Events \d/ })).toBeVisible();
  await heard.note('The detail', page.locator('[data-part=head]'));
  await heard.note('Its sections', page.getByRole('region', { name: 'Conditions' }));
  await page.keyboard.press('l');
  await expect(page.getByRole('log')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^Following$/ })).toBeVisible();
  const toolbar = page.locator('[data-toolbar]:visible');
  // There once a line of JSON has been read.
  await expect(toolbar.getByRole('button', { name: 'Columns of JSON lines' })).toBeVisible();
  await heard.note('Its log', toolbar);
  expect(heard.text()).toMatchSnapshot('detail-and-logs.txt');
});

test('an action with its confirmation', async ({ page, withoutMouse }) => {
  await withoutMouse();
  await openLive(page, `/deployments?ns=${namespace}`);
  const heard = await listenTo(page);
  const grid = gridOf(page, 'Deployments');
  await grid.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+D');
  const confirm = dialogOf(page, 'Delete Deployment buoy?');
  await expect(confirm).toBeVisible();
  await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(confirm).toContainText('Deletes 1 ReplicaSet and 1 pod as well.');
  await heard.note('Asked to confirm', confirm);
  await page.keyboard.press('Escape');
  await expect(confirm).toBeHidden();
  await expect(grid).toBeFocused();
  await heard.note('Given up');
  await page.keyboard.press('Shift+S');
  const scale = dialogOf(page, 'Scale Deployment buoy');
  await expect(scale).toBeVisible();
  await expect(scale.getByRole('spinbutton')).toBeFocused();
  await heard.note('Asked for a number', scale);
  await keyboard(page).write(scale.getByRole('spinbutton', { name: 'Replicas' }), '2');
  await page.keyboard.press('Enter');
  await expect(scale.getByRole('button', { name: 'Scale', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  const told = toastOf(page, 'Deployment buoy scaled');
  // Held as by whoever reads it: the second pod may come later than it would go.
  await told.dispatchEvent('mouseover');
  await expect(scale).toBeHidden();
  await expect(grid).toBeFocused();
  await expect(grid.getByRole('row', { name: /^buoy, Available/ })).toContainText('2/2');
  await heard.note('Done', told);
  expect(heard.text()).toMatchSnapshot('action.txt');
});

test('the palette', async ({ page, withoutMouse }) => {
  await withoutMouse();
  await openLive(page, `/deployments?ns=${namespace}`);
  const heard = await listenTo(page);
  await gridOf(page, 'Deployments').focus();
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type(':storageclasses');
  await expect(palette.getByRole('option')).toHaveCount(1);
  await heard.note('A kind is looked for', palette);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('zzzzqqq');
  await expect(palette.getByText('Nothing matches.', { exact: false })).toBeVisible();
  await heard.note('Nothing is found', palette);
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  // The focus is given back in a task of its own.
  await expect(gridOf(page, 'Deployments')).toBeFocused();
  await heard.note('Closed');
  expect(heard.text()).toMatchSnapshot('palette.txt');
});

test('tiles and tabs', async ({ page, withoutMouse }) => {
  await withoutMouse();
  await openLive(page, `/deployments?ns=${namespace}`);
  const heard = await listenTo(page);
  await gridOf(page, 'Deployments').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(headingOf(page, 'buoy')).toBeVisible();
  await expect(page.getByRole('region', { name: /tile 2 of 2/ })).toBeVisible();
  await heard.note(
    'Opened beside',
    page.getByRole('region', { name: /tile 2 of 2/ }).locator('[data-tile-bar]'),
  );
  await page.keyboard.press('w');
  await page.keyboard.press('h');
  await expect(focusedTile(page)).toHaveAccessibleName(/tile 1 of 2/);
  await heard.note('Back to the first tile');
  await tabTo(page.getByRole('tab', { name: 'Deployments' }));
  await heard.note('On a tab');
  await tabTo(page.getByRole('separator'));
  await heard.note('On the boundary between them');
  expect(heard.text()).toMatchSnapshot('tiles.txt');
});
