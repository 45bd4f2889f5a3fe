import { alertExemptions, type AxeViolation, expectAccessible, prepareAxe, shapes } from './axe.ts';
import { focusShown, noFocus } from './hands.ts';
import { expect, owner, ownClusters, sharedApp, test } from './kit.ts';
import { filterField, podRows, podsOf, sectionOf, statusLine } from './places.ts';
import { nowAndThen } from '../gate/turn.ts';
import { type SecondCluster, startProduct, startSecondCluster } from './product.ts';

const app = sharedApp(ownClusters);
let cluster: SecondCluster;
let podsUrl: string;

test.beforeAll(async () => {
  cluster = await startSecondCluster();
  const body = {
    name: 'harbour',
    description: 'The harbour’s own',
    kubeConfigContent: cluster.kubeconfig,
  };
  const { id } = await app().client.call('addCluster', { body });
  podsUrl = `${app().url}/clusters/${id}/pods`;
});
test.afterAll(() => cluster.stop());

test('every screen without chrome is accessible', nowAndThen, async ({ page, another, allow }) => {
  allow(/401 \(Unauthorized\)/, /failed with 401/);
  await page.goto(app().url);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expectAccessible(page, 'sign-in');
  await page.getByLabel('Email').fill('nobody@example.org');
  await page.getByLabel(/^Password/).fill('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'sign-in refused');
  for (const path of ['/invite-not-found', '/invite-rejected']) {
    await page.goto(app().url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page, path);
  }
  await page.goto(`${app().url}/subscription/callback?id=hp_1&state=succeeded`);
  await expect(page.getByText('Sign in to complete your subscription.')).toBeVisible();
  await expectAccessible(page, 'a payment before a sign-in');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/login\?returnUrl=%2Fsubscription%2Fcallback$/);
  const kept = await page.evaluate(() => localStorage.getItem('wheelhouse.pendingHostedPage'));
  expect(kept).toBe('hp_1');
  const fresh = await startProduct({ WHEELHOUSE_PLAYGROUND: 'off' });
  try {
    const context = await another();
    const first = await context.newPage();
    await first.goto(fresh.url);
    await expect(first.getByText('This installation has no Owner yet.')).toBeVisible();
    await expectAccessible(first, 'sign-in before the first Owner');
    await first.goto('about:blank');
    await first.goto(fresh.setupLink);
    await first.getByLabel('Your name').fill(owner.name);
    await expectAccessible(first, 'first Owner');
    await first.getByLabel('Email').fill(owner.email);
    await first.getByLabel(/^Password/).fill(owner.password);
    await first.keyboard.press('Enter');
    await expect(first.getByLabel('Name of the organisation')).toBeVisible();
    await expectAccessible(first, 'set-up of the organisation');
    await first.getByLabel('Name of the organisation').fill('Example');
    await first.keyboard.press('Enter');
    await expect(first.getByRole('heading', { name: 'No cluster yet' })).toBeVisible();
    await expectAccessible(first, 'home without a cluster');
    await first.goto(`${fresh.url}/clusters`);
    await expect(first.getByRole('heading', { name: 'No cluster yet' })).toBeVisible();
    await expectAccessible(first, 'no cluster yet');
    // It still loads what it may need later.
    await context.close();
  } finally {
    await fresh.remove();
  }
});

test('home, clusters and their dialogs are accessible', nowAndThen, async ({ page, context }) => {
  await app().enter(context);
  // A place to come from, and links in cells.
  await page.goto(podsUrl.replace(/pods$/, 'persistentvolumeclaims'));
  await expect(statusLine(page)).toContainText(/^Live/);
  await expect(page.getByRole('row').getByRole('link', { name: 'gp3' }).first()).toBeVisible();
  await expectAccessible(page, 'a list with links in its cells');
  await page.goto(app().url);
  const fleet = page.getByRole('table', { name: 'Clusters' });
  await expect(fleet.getByRole('row', { name: /^harbour/ })).toContainText(/\d+ failing/);
  for (const card of ['Needs attention anywhere', 'Try this', 'Recent places'])
    await expect(sectionOf(page, card).getByRole('listitem').first()).toBeVisible();
  await expectAccessible(page, 'home');
  await page.goto(`${app().url}/clusters`);
  await expect(page.getByRole('table')).toContainText('Reachable');
  await expectAccessible(page, 'clusters');

  await page.getByRole('button', { name: 'Add clusters' }).click();
  await page.getByRole('textbox', { name: 'Kubeconfig' }).fill(cluster.kubeconfig);
  await expect(page.getByRole('group', { name: 'Its context' })).toBeVisible();
  await expectAccessible(page, 'adding clusters');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Replace the kubeconfig of harbour' }).click();
  await page.getByRole('textbox', { name: 'Kubeconfig' }).fill(cluster.kubeconfig);
  await expect(page.getByLabel('Context')).toBeVisible();
  await expectAccessible(page, 'replacing a kubeconfig');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete harbour' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, 'deleting a cluster', alertExemptions);
  await page.keyboard.press('Escape');

  await page.goto(`${app().url}/no/such/place`);
  await expect(page.getByRole('heading', { name: 'No such page' })).toBeVisible();
  await expectAccessible(page, 'no such page');
});

test('a cluster, its lists and its menus are accessible', nowAndThen, async ({ page, context }) => {
  await app().enter(context);
  await page.goto(podsUrl.replace(/\/pods$/, ''));
  await expect(statusLine(page)).toContainText(/^Live/);
  await expectAccessible(page, 'cluster');
  // By key: lines of attention that still come in move the link under a pointer.
  await page.getByRole('main').getByRole('link', { name: 'Pods' }).press('Enter');
  await expect(statusLine(page)).toContainText(/^Live/);
  await expectAccessible(page, 'pods');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expectAccessible(page, 'pods with a cursor');
  await filterField(page).fill('shop-postgres');
  await expect(podRows(page)).toHaveCount(3);
  await expectAccessible(page, 'pods filtered');
  await filterField(page).fill('no-such-pod');
  await expect(page.getByRole('heading', { name: 'No pod matches “no-such-pod”' })).toBeVisible();
  await expectAccessible(page, 'pods without a match');
  await filterField(page).fill('');

  await page.getByRole('button', { name: /^Cluster: / }).click();
  await expect(page.getByRole('combobox', { expanded: true })).toBeVisible();
  await expectAccessible(page, 'cluster dropdown');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `Account of ${owner.name}` }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'user menu');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  await expect(page.getByRole('navigation', { name: 'Sidebar' })).toBeVisible();
  await expectAccessible(page, 'sidebar over a narrow page');
});

test('the test pages and toasts are accessible', nowAndThen, async ({ page, context }) => {
  for (const path of ['/tests/action-button-test', '/tests/toast-test']) {
    await page.goto(app().url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page, `${path} signed out`);
  }
  await app().enter(context);
  await page.goto(`${app().url}/tests/toast-test`);
  for (const type of ['Success', 'Error', 'Warning', 'Info', 'Default']) {
    await page.getByRole('button', { name: type, exact: true }).click();
    await page.getByRole('button', { name: 'Add without end' }).click();
  }
  await expect(page.locator('[data-toast]')).toHaveCount(5);
  await expectAccessible(page, 'toasts');
});

test('settings and the sheet of keys are accessible', nowAndThen, async ({ page, context }) => {
  await app().enter(context);
  await page.goto(`${app().url}/settings?section=keys`);
  await page.getByRole('button', { name: 'Change the keys of Close tab' }).click();
  await page.getByRole('textbox', { name: 'Keys of Close tab' }).fill('g');
  await expect(page.getByText('can no longer be reached')).toBeVisible();
  await page.getByRole('textbox', { name: 'Your keys as JSON' }).fill('[{ "keys": "x" }]');
  await expect(page.getByText('Entry 1 needs')).toBeVisible();
  await expectAccessible(page, 'settings');
  await page.goto(podsUrl);
  await expect(statusLine(page)).toContainText(/^Live/);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible(page, 'the sheet of keys');
});

test('the panel of keys that may follow is accessible', nowAndThen, async ({ page, context }) => {
  await app().enter(context);
  await page.goto(podsUrl);
  await expect(statusLine(page)).toContainText(/^Live/);
  await prepareAxe(page);
  // It leaves after two seconds: pressed anew for each look, and where that was too late.
  for (const { colorScheme, viewport } of shapes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    let violations: readonly AxeViolation[] = [];
    await expect(async () => {
      await page.keyboard.press('Escape');
      // Looked at from inside the page as soon as it shows: a busy machine takes most of the two seconds for the way there.
      const looked = page.evaluate(async () => {
        const { axe } = window as unknown as {
          axe: {
            run(part: string, options: object): Promise<{ violations: readonly AxeViolation[] }>;
          };
        };
        const part = '[aria-label="Keys that may follow"]';
        const end = performance.now() + 10_000;
        while (document.querySelector(part) === null && performance.now() < end)
          await new Promise(requestAnimationFrame);
        const found = await axe.run(part, { resultTypes: ['violations'] });
        return { violations: found.violations, isThere: document.querySelector(part) !== null };
      });
      await page.keyboard.press('g');
      const { isThere, violations: found } = await looked;
      violations = found;
      expect(isThere, 'it stood until it was looked at').toBe(true);
    }).toPass();
    expect(violations).toEqual([]);
    await page.keyboard.press('Escape');
  }
});

test('counts and freshness are announced by live regions that stand before they change', async ({
  page,
  context,
}) => {
  await app().enter(context);
  await page.goto(podsUrl);
  await expect(statusLine(page)).toContainText(/^Live/);
  const count = page.getByRole('status').filter({ hasText: /^\d+ pods$/ });
  await expect(count).toHaveCount(1);
  const handle = await count.elementHandle();
  await filterField(page).fill('shop-postgres');
  await expect(page.getByRole('status').filter({ hasText: /^3 of \d+$/ })).toHaveCount(1);
  expect(await handle?.innerText()).toMatch(/^3 of \d+$/);
  expect(await handle?.evaluate((element) => element.isConnected)).toBe(true);
});

test('every stop of the Tab key shows the focus', async ({ page, context }) => {
  await app().enter(context);
  for (const url of [app().url, `${app().url}/clusters`, podsUrl.replace(/\/pods$/, ''), podsUrl]) {
    await page.goto(url);
    await expect(page.getByRole('main')).toContainText(/Reachable|Live|worst first/);
    // From the top: the page itself may have put the focus further down.
    await page.evaluate(() => {
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute('tabindex');
    });
    let stops = 0;
    for (; stops < 200; stops += 1) {
      await page.keyboard.press('Tab');
      const shown = await focusShown(page);
      if (shown === noFocus) break;
      expect(shown).toBe('shown');
    }
    expect(stops, `stops on ${url}`).toBeGreaterThan(5);
    expect(stops, `stops on ${url}`).toBeLessThan(200);
  }
});

test('at 200 % zoom nothing needs to be scrolled sideways', async ({ another }) => {
  // Zoom halves the window's CSS pixels and doubles what each is made of.
  const context = await another({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });
  await app().enter(context);
  const page = await context.newPage();
  for (const url of [app().url, `${app().url}/clusters`, podsUrl.replace(/\/pods$/, ''), podsUrl]) {
    await page.goto(url);
    await expect(page.getByRole('main')).toContainText(/Reachable|Live|worst first/);
    const isTooWide = () =>
      page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('main, [role=tabpanel], [role=grid]')]
          .filter((element) => element.scrollWidth > element.clientWidth + 1)
          .map((element) => element.outerHTML.slice(0, 120)),
      );
    await expect.poll(isTooWide, url).toEqual([]);
  }
  await expect(podsOf(page)).toBeVisible();
  await expect(podRows(page).first()).toBeInViewport();
});

test(
  'a divided workspace is accessible: side by side, one tile covering, a cluster that is gone',
  nowAndThen,
  async ({ page, context }) => {
    await app().enter(context);
    await page.goto(`${podsUrl}?_w=1r50-50(*,c50-50(/clusters/1/deployments,/clusters/999/pods))`);
    await expect(podsOf(page).first()).toBeVisible();
    await expect(page.getByRole('grid', { name: 'Deployments' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No such cluster' })).toBeVisible();
    await expectAccessible(page, 'three tiles');
    await page.getByRole('button', { name: 'Tab and tile' }).first().click();
    await expect(page.getByRole('dialog', { name: 'Tabs' })).toBeVisible();
    await expectAccessible(page, 'menu of a tile');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Tabs' })).toBeHidden();
    const covering = page.getByRole('button', { name: 'Tile 1 / 3: next tile' });
    // Two keys are one command only when a busy machine passes them on within two seconds.
    await expect(async () => {
      await page.keyboard.press('w');
      await page.keyboard.press('m');
      await expect(covering).toBeVisible();
    }).toPass();
    await expectAccessible(page, 'one tile covering the others');
  },
);
