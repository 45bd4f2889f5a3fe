import type { Locator, Page } from 'playwright/test';
import { type Hands, pointer } from './hands.ts';
import { eachHand, expect, owner, ownClusters, sharedApp, test } from './kit.ts';
import { filterField, podRow, podRows, podsOf, statusLine } from './places.ts';
import { type SecondCluster, startSecondCluster } from './product.ts';

const app = sharedApp(ownClusters);
const names = ['Harbour', 'Quay', 'Lagoon', 'playground', 'playground-staging'];
let cluster: SecondCluster;

test.beforeAll(async () => {
  cluster = await startSecondCluster();
  const clusters = names.map((name) => ({ name, description: '', kubeConfigContent: cluster.kubeconfig }));
  const { errors } = await app().client.call('addClusters', { body: { clusters } });
  expect(errors).toEqual([]);
});
test.afterAll(() => cluster.stop());

const sidebar = (page: Page): Locator => page.getByRole('navigation', { name: 'Sidebar' });
const inSidebar = (page: Page, name: string): Locator =>
  sidebar(page).getByRole('link', { name: new RegExp(`^${name}(?!-staging)`) });
const home = (page: Page): Locator => page.getByRole('banner').getByRole('link', { name: /^Home/ });
const onHome = (page: Page, name: string): Locator =>
  page
    .getByRole('region', { name: /^Clusters/ })
    .getByRole('link', { name: new RegExp(`^${name}(?!-staging)`) });
const dropdown = (page: Page): Locator => page.getByRole('button', { name: /^Cluster: / });
const tabs = (page: Page): Locator => page.getByRole('tab');
const activeTab = (page: Page): Locator => page.getByRole('tab', { selected: true });
const allTabs = (page: Page): Locator => page.getByRole('button', { name: /^All \d+ tabs/ });
const isNarrow = { width: 390, height: 844 };

/** Closes the active tab the way these hands do. */
async function closeTab(page: Page, hands: Hands): Promise<void> {
  if (hands.name === 'keyboard') {
    await hands.press(activeTab(page));
    await page.keyboard.press('x');
  } else
    await activeTab(page)
      .getByTitle(/^Close /)
      .click();
}

/** Home, the cluster's own page and its pods, as three tabs. */
async function openThree(page: Page, hands: Hands, name: string): Promise<void> {
  await page.goto(app().url);
  await hands.press(onHome(page, name));
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  await hands.press(inSidebar(page, 'Pods'));
  await expect(statusLine(page)).toContainText(/^Live/);
  await expect(tabs(page)).toHaveText(['Home', 'Dashboard', 'Pods']);
}

for (const { by, it } of eachHand) {
  it(`tabs open, activate, close and are cleared (${by})`, async ({ page, context, hands }) => {
    await app().enter(context);
    await openThree(page, hands, 'Harbour');
    await expect(page).toHaveTitle('Pods · Harbour · Wheelhouse');
    const details = page.url().replace(/\/pods$/, '');

    await test.step('an open path is activated, not opened twice', async () => {
      await hands.press(inSidebar(page, 'Dashboard'));
      await expect(tabs(page)).toHaveCount(3);
      await expect(activeTab(page)).toHaveText('Dashboard');
      expect((await activeTab(page).boundingBox())?.width).toBeGreaterThanOrEqual(160);
      await expect(page).toHaveURL(details);
    });

    await test.step('any tab can be shown', async () => {
      if (hands.name === 'keyboard') {
        await hands.press(activeTab(page));
        // With Alt it is the browser's: it goes back in its history, and shows no other tab.
        const isTaken = await activeTab(page).evaluate((tab) => {
          const key = { key: 'ArrowLeft', altKey: true, bubbles: true, cancelable: true };
          return !tab.dispatchEvent(new KeyboardEvent('keydown', key));
        });
        expect(isTaken).toBe(false);
        await page.keyboard.press('ArrowLeft');
        await expect(activeTab(page)).toBeFocused();
        await expect(activeTab(page)).toHaveText('Home');
        await page.keyboard.press(']');
        await page.keyboard.press(']');
      } else await tabs(page).filter({ hasText: 'Pods' }).click();
      await expect(activeTab(page)).toHaveText('Pods');
      await expect(page).toHaveURL(`${details}/pods`);
      await expect(podsOf(page)).toBeVisible();
    });

    await test.step('back and forward walk the places', async () => {
      await page.goBack();
      await expect(activeTab(page)).not.toHaveText('Pods');
      await page.goForward();
      await expect(activeTab(page)).toHaveText('Pods');
    });

    await test.step('closing shows the neighbour, and after the last the cluster’s page', async () => {
      await closeTab(page, hands);
      await expect(tabs(page)).toHaveText(['Home', 'Dashboard']);
      if (hands.name === 'keyboard') await expect(page.getByRole('tabpanel')).toBeFocused();
      await expect(activeTab(page)).toHaveText('Dashboard');
      await closeTab(page, hands);
      await expect(activeTab(page)).toHaveText('Home');
      await closeTab(page, hands);
      await expect(tabs(page)).toHaveText(['Dashboard']);
      await expect(page).toHaveURL(details);
    });

    await test.step('clearing all leaves the cluster’s page', async () => {
      await hands.press(inSidebar(page, 'Pods'));
      await hands.press(home(page));
      await expect(tabs(page)).toHaveCount(3);
      await hands.pick(allTabs(page), 'Close all tabs');
      await expect(tabs(page)).toHaveText(['Dashboard']);
      if (hands.name === 'keyboard')
        await expect(page.getByRole('button', { name: 'Tab and tile' })).toBeFocused();
      await expect(page).toHaveURL(details);
    });
  });

  it(`another cluster clears namespace and tabs and keeps the route (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    await app().enter(context);
    await page.goto(app().url);
    await expect(dropdown(page)).toHaveText('Select Cluster');
    await expect(sidebar(page)).toHaveText('No Cluster Selected');

    await test.step('from home it leads to the cluster’s page', async () => {
      await hands.pick(dropdown(page), 'Quay');
      await expect(page).toHaveURL(/\/clusters\/\d+$/);
      await expect(page.getByRole('heading', { name: 'Quay', exact: true })).toBeVisible();
      await expect(dropdown(page)).toHaveText('Quay');
      await expect(tabs(page)).toHaveText(['Dashboard']);
    });

    await test.step('from a list to the same list', async () => {
      await hands.press(home(page));
      await hands.press(inSidebar(page, 'Pods'));
      await expect(tabs(page)).toHaveCount(3);
      const url = page.url();
      await hands.pick(page.getByRole('button', { name: /^Namespace: / }), 'shop');
      await expect(page).toHaveURL(/\?ns=shop$/);
      await hands.pick(dropdown(page), 'Lagoon');
      await expect(page).toHaveURL(/\/clusters\/\d+\/pods$/);
      expect(page.url()).not.toBe(url);
      await expect(tabs(page)).toHaveText(['Pods']);
      await expect(page.getByRole('button', { name: 'Namespace: All namespaces' })).toBeVisible();
      await expect(statusLine(page)).toContainText(/^Live/);
      await expect(dropdown(page)).toHaveText('Lagoon');
    });
  });

  it(`a selected cluster loads its namespaces, and a chosen one goes along (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    await app().enter(context);
    await page.goto(app().url);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/api\/namespaces\/clusters\/\d+\/namespaces$/.test(request.url())) asked.push(request.url());
    });
    const namespace = page.getByRole('button', { name: /^Namespace: / });

    await test.step('choosing a cluster reads its namespaces, once', async () => {
      await hands.pick(dropdown(page), 'Quay');
      await expect(page.getByRole('heading', { name: 'Quay', exact: true })).toBeVisible();
      await expect.poll(() => asked.length).toBe(1);
      expect(asked[0]).toContain(`/${/\d+$/.exec(page.url())?.[0] ?? ''}/namespaces`);
    });

    await test.step('the next lists of the sidebar open with it, as addresses that can be shared', async () => {
      await hands.press(inSidebar(page, 'Pods'));
      await hands.pick(namespace, 'shop');
      await expect(page).toHaveURL(/\/pods\?ns=shop$/);
      await hands.press(inSidebar(page, 'Nodes'));
      await expect(page).toHaveURL(/\/nodes$/);
      await expect(namespace).toBeHidden();
      await hands.press(inSidebar(page, 'Deployments'));
      await expect(page).toHaveURL(/\/deployments\?ns=shop$/);
      await expect(namespace).toHaveText(/shop/);
      await expect(statusLine(page)).toContainText(/^Live/);
    });

    const counted = async () => Number(/\d+$/.exec(await inSidebar(page, 'Secrets').innerText())?.[0]);
    let inShop = 0;
    await test.step('the sidebar counts what its lists show there', async () => {
      await expect.poll(counted).toBeGreaterThan(0);
      inShop = await counted();
    });

    await test.step('by keys and by the palette too', async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('s');
      await expect(page).toHaveURL(/\/services\?ns=shop$/);
      await page.keyboard.press('ControlOrMeta+k');
      const field = page.getByRole('combobox', { expanded: true });
      await expect(field).toBeFocused();
      await page.keyboard.type(':jobs');
      await expect(page.getByRole('option').first()).toContainText('Jobs');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/jobs\?ns=shop$/);
    });

    await test.step('a list that is open already shows it; all of them is a choice too', async () => {
      await hands.press(inSidebar(page, 'Pods'));
      await hands.pick(namespace, 'All namespaces');
      await expect(page).toHaveURL(/\/pods$/);
      await expect.poll(counted).toBeGreaterThan(inShop);
      await hands.press(inSidebar(page, 'Deployments'));
      await expect(page).toHaveURL(/\/deployments$/);
    });

    await test.step('the change of cluster clears it', async () => {
      await hands.pick(namespace, 'shop');
      await hands.pick(dropdown(page), 'Lagoon');
      await expect(page).toHaveURL(/\/deployments$/);
      await hands.press(inSidebar(page, 'Pods'));
      await expect(page).toHaveURL(/\/pods$/);
      await expect(namespace).toHaveText(/All namespaces/);
    });
  });

  it(`the cluster dropdown searches by name (${by})`, async ({ page, context, hands }) => {
    await app().enter(context);
    await openThree(page, hands, 'Harbour');
    await hands.press(dropdown(page));
    const menu = page.getByRole('dialog', { name: 'Clusters' });
    const field = menu.getByRole('combobox');
    const options = menu.getByRole('option');
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('placeholder', 'Search clusters...');
    // The hints are those of the menu, not of a filter.
    await expect(page.locator('[data-status-line]').filter({ visible: true })).toContainText('choose');
    await expect(options).toHaveCount(5);
    await expect(menu.getByRole('option', { selected: true })).toContainText('Harbour');
    await expect(menu.getByRole('option', { selected: true }).locator('[data-part=tick]')).toBeVisible();
    expect((await menu.boundingBox())?.width).toBe(256);
    await page.keyboard.type('LAG');
    await expect(options).toHaveCount(1);
    await expect(options).toContainText('Lagoon');
    await page.keyboard.type('oonnn');
    await expect(options).toHaveCount(0);
    await expect(menu.getByRole('status')).toHaveText('No clusters found');
    if (hands.name === 'keyboard') await page.keyboard.press('Escape');
    else await page.mouse.click(700, 600);
    await expect(menu).toBeHidden();
    await expect(page).toHaveURL(/\/pods$/);
    if (hands.name === 'keyboard') await expect(dropdown(page)).toBeFocused();
  });

  it(`the sidebar is open from 768 px on and closes after a choice below (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    await app().enter(context);
    await openThree(page, hands, 'Harbour');
    await page.setViewportSize({ width: 768, height: 900 });
    await expect(sidebar(page)).toBeVisible();
    await page.setViewportSize({ width: 767, height: 900 });
    await expect(sidebar(page)).toBeHidden();
    await page.setViewportSize(isNarrow);
    const toggle = page.getByRole('button', { name: 'Toggle sidebar' });
    await expect(toggle).toHaveAttribute('aria-expanded', 'false');
    await hands.press(toggle);
    await expect(toggle).toHaveAttribute('aria-expanded', 'true');
    // It lies over the page: it has the keys, and Esc gives them back.
    await expect(sidebar(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(sidebar(page)).toBeHidden();
    await expect(toggle).toBeFocused();
    await hands.press(toggle);
    await hands.press(inSidebar(page, 'Namespaces'));
    await expect(page).toHaveURL(/\/namespaces$/);
    await expect(sidebar(page)).toBeHidden();

    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(sidebar(page)).toBeVisible();
    if (hands.name === 'keyboard') await page.keyboard.press('ControlOrMeta+b');
    else await toggle.click();
    await expect(sidebar(page)).toBeHidden();
    await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  });

  it(`the menu under the initials says who one is (${by})`, async ({ page, context, hands }) => {
    await app().enter(context);
    await page.goto(app().url);
    const account = page.getByRole('button', { name: `Account of ${owner.name}` });
    await expect(account).toHaveText('RE');
    await hands.press(account);
    const menu = page.getByRole('menu');
    await expect(menu).toContainText(owner.name);
    await expect(menu).toContainText(owner.email);
    await expect(menu.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await hands.choose(account, 'Theme');
    await expect(page.getByRole('menuitem', { name: 'Theme' })).toContainText('Light');
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
    await hands.press(page.getByRole('menuitem', { name: 'Theme' }));
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
    await page.reload();
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
  });
}

test('one ring shows where the focus is: the row’s, or the tab’s of a view without rows', async ({
  page,
  context,
}) => {
  /** What of the tile has a ring, outermost first. */
  const rings = () =>
    page.evaluate(() =>
      ['[data-tile]', '[role=tabpanel]', '[role=tab]', '[role=grid]', '[data-row]'].filter((name) =>
        [...document.querySelectorAll(name)].some((element) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          const after = getComputedStyle(element, '::after');
          const isRing = outlineStyle === 'solid' && outlineWidth === '2px';
          return isRing || (after.content !== 'none' && after.borderTopWidth === '2px');
        }),
      ),
    );
  await app().enter(context);
  await openThree(page, pointer(page), 'Harbour');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page).toHaveURL(/\/deployments$/);
  await expect(statusLine(page)).toContainText(/^Live/);
  await page.keyboard.press('j');
  await expect.poll(rings).toEqual(['[data-row]']);
  await page.keyboard.press('g');
  await page.keyboard.press(',');
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
  await expect(page.getByRole('tabpanel', { name: 'Settings' })).toBeFocused();
  await expect.poll(rings).toEqual(['[role=tab]']);
});

test('clearing all tabs without a cluster leads home', async ({ page, context }) => {
  await app().enter(context);
  await page.goto(`${app().url}/clusters`);
  await home(page).click();
  await expect(tabs(page)).toHaveCount(2);
  await pointer(page).pick(allTabs(page), 'Close all tabs');
  await expect(tabs(page)).toHaveText(['Home']);
  await expect(page).toHaveURL(`${app().url}/`);
});

test('a middle click closes a tab in the background', async ({ page, context }) => {
  await app().enter(context);
  await openThree(page, pointer(page), 'Harbour');
  await tabs(page).filter({ hasText: 'Dashboard' }).click({ button: 'middle' });
  await expect(tabs(page)).toHaveText(['Home', 'Pods']);
  await expect(activeTab(page)).toHaveText('Pods');
});

test('the dropdown says that clusters are being loaded', async ({ page, context }) => {
  await app().enter(context);
  let letGo = (): void => undefined;
  const held = new Promise<void>((done) => {
    letGo = done;
  });
  await page.route('**/api/ClusterManagement/clusters', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(app().url);
  await dropdown(page).click();
  const menu = page.getByRole('dialog', { name: 'Clusters' });
  await expect(menu.getByRole('status')).toHaveText('Loading...');
  letGo();
  await expect(menu.getByRole('option')).toHaveCount(5);
});

test('ten views are kept as they were left; an older one is opened anew', async ({ page, context }) => {
  await app().enter(context);
  await openThree(page, pointer(page), 'Harbour');
  // Pods whose status stays: one that changes is sorted elsewhere meanwhile.
  await filterField(page).fill('shop-postgres');
  await expect(podRows(page)).toHaveCount(3);
  await filterField(page).press('Enter');
  await page.keyboard.press('j');
  const cursor = podsOf(page).locator('[role=row][aria-current=true]');
  await expect(cursor).toHaveAttribute('aria-rowindex', '3');
  const visit = async (name: string) => {
    await home(page).click();
    await onHome(page, name).click();
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
    for (const list of ['Namespaces', 'Pods']) {
      await inSidebar(page, list).click();
      await expect(statusLine(page)).toContainText(/^Live/);
    }
  };
  await visit('Quay');
  await visit('Lagoon');
  const views = page.getByRole('tabpanel', { includeHidden: true });
  await expect(views).toHaveCount(9);
  // All tabs are in the menu, also those that have no room in the bar.
  const show = async (title: string, cluster: string, count: number) => {
    await page.getByRole('button', { name: new RegExp(`^All ${count} tabs\\b`) }).click();
    await page
      .getByRole('option')
      .filter({ hasText: new RegExp(`^${title}.*${cluster}$`) })
      .click();
    await expect(activeTab(page)).toHaveAccessibleName(`${title} in ${cluster}`);
  };
  await show('Pods', 'Harbour', 9);
  await expect(cursor).toHaveAttribute('aria-rowindex', '3');
  await visit('playground');
  await expect(views).toHaveCount(10);
  // Harbour's own page was not shown for longest: opened anew, it shows what it showed.
  await show('Dashboard', 'Harbour', 12);
  await expect(page.getByRole('heading', { name: 'Harbour', exact: true })).toBeVisible();
  await expect(views).toHaveCount(10);
  // Where not all of them have room, the one that shows is in sight.
  await page.setViewportSize({ width: 800, height: 900 });
  const shown = tabs(page).and(page.locator('[aria-selected=true]'));
  await expect(shown).toBeInViewport({ ratio: 0.9 });
  expect((await shown.boundingBox())?.width).toBeGreaterThanOrEqual(160);
  expect(await tabs(page).count()).toBeLessThan(8);
  await tabs(page).first().press('Enter');
  await expect(shown).toBeInViewport({ ratio: 0.9 });
});

test('an address that leads nowhere says so, and home is one step away', async ({ page, context }) => {
  await app().enter(context);
  await page.goto(`${app().url}/no/such/place`);
  await expect(page.getByRole('heading', { name: 'No such page' })).toBeVisible();
  await page.getByRole('button', { name: 'Go home' }).click();
  await expect(page).toHaveURL(`${app().url}/`);
  await page.goto(`${app().url}/dashboard`);
  await expect(page).toHaveURL(`${app().url}/`);
  await expect(page.getByRole('heading', { name: 'Clusters', level: 2 })).toBeVisible();
});

test('recent places lead back to the very view', async ({ page, context }) => {
  await app().enter(context);
  await openThree(page, pointer(page), 'Harbour');
  await filterField(page).fill('shop-postgres');
  await expect(podRows(page)).toHaveCount(3);
  await home(page).click();
  await page
    .getByRole('region', { name: 'Recent places' })
    .getByRole('link', { name: /Pods.*shop-postgres/ })
    .click();
  await expect(podRow(page, 'shop-postgres-')).toHaveCount(3);
  await expect(filterField(page)).toHaveValue('shop-postgres');
});
