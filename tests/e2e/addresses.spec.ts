import type { Page, Request } from 'playwright/test';
import { sharedCluster } from './cluster.ts';
import { eachHand, expect, ownClusters, owner, sharedApp, test } from './kit.ts';
import { dialogOf, podRows, podsOf, statusLine } from './places.ts';
import { tiles } from './workspace/tiles.ts';

const app = sharedApp(ownClusters);
sharedCluster(app, 'playground');

const noSuchPage = (page: Page) => page.getByRole('heading', { name: 'No such page' });
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Sidebar' });

test('an address with empty segments or a slash at its end shows what it means', async ({
  page,
  context,
}) => {
  await app().enter(context);
  for (const path of ['/clusters//1/pods?ns=shop', '/clusters/1/pods/?ns=shop']) {
    await page.goto(app().url + path);
    await expect(statusLine(page)).toContainText(/^Live/);
    await expect(podRows(page).first()).toBeVisible();
    await expect(page.getByRole('tab')).toHaveText(['Pods']);
    await page.evaluate(() => sessionStorage.clear());
  }
});

for (const { by, it } of eachHand) {
  it(`an address of nothing says so within the console, which leads on from there (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    await app().enter(context);
    // The server itself refuses a percent sign that encodes nothing; the page may still be led there.
    const undecodable = '/clusters/%E0%A4%A/pods';
    for (const path of [
      '/no/such/page',
      '/Clusters/1/pods',
      '/clusters/1/pods/one/too/many',
      // In development alone.
      '/tests/tokens',
      undecodable,
    ]) {
      if (path === undecodable) await page.evaluate((to) => history.pushState(null, '', to), path);
      else await page.goto(app().url + path);
      await expect(noSuchPage(page), path).toBeVisible();
      await expect(page.getByRole('main')).toContainText(`There is no page at ${path}.`);
      await expect(page).toHaveURL(app().url + path);
      await expect(sidebar(page)).toBeVisible();
    }
    await hands.press(page.getByRole('button', { name: 'Go home' }));
    await expect(page).toHaveURL(`${app().url}/`);
    await expect(page.getByRole('region', { name: /^Clusters/ })).toBeVisible();
    await hands.press(
      page
        .getByRole('region', { name: /^Clusters/ })
        .getByRole('link')
        .first(),
    );
    await expect(page).toHaveURL(/\/clusters\/\d+$/);
  });
}

test('the layout in an address stays readable, and search values stay what they are', async ({
  page,
  context,
}) => {
  await app().enter(context);
  const address = `${app().url}/clusters/1/pods?ns=true&q=1e3&_w=1r50-50(*,/clusters/1/deployments~3Fns~3Dshop)`;
  await page.goto(address);
  await expect(tiles(page)).toHaveCount(2);
  await expect(statusLine(page).first()).toBeVisible();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole('combobox', { name: /^Filter pods/i })).toHaveValue('1e3');
  // Written by another program: every character encoded that may be.
  await page.goto(address.replace(/_w=.*/, (layout) => `_w=${encodeURIComponent(layout.slice(3))}`));
  await expect(tiles(page)).toHaveCount(2);
});

test('a page that is scrolled stays where it is while its address changes', async ({ page, context }) => {
  await app().enter(context);
  await page.goto(`${app().url}/clusters/1/pods`);
  await expect(statusLine(page)).toContainText(/^Live/);
  // As on a screen too small for the whole console.
  await page.evaluate(() => {
    document.documentElement.style.overflow = 'auto';
    document.body.style.height = '3000px';
    document.body.style.overflow = 'visible';
    window.scrollTo(0, 40);
  });
  const scrolled = () => page.evaluate(() => window.scrollY);
  await expect.poll(scrolled).toBe(40);
  await page.getByRole('combobox', { name: /^Filter / }).evaluate((field: HTMLInputElement) => {
    field.focus({ preventScroll: true });
  });
  await page.keyboard.insertText('shop');
  await expect(page).toHaveURL(/q=shop$/);
  await expect(podRows(page).first()).toContainText('shop');
  expect(await scrolled()).toBe(40);
});

test('a person who is not signed in is led to sign-in before any list sends a request', async ({ page }) => {
  const asked: string[] = [];
  const note = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && !pathname.startsWith('/api/auth/') && pathname !== '/api/config')
      asked.push(pathname);
  };
  page.on('request', note);
  page.on('websocket', (socket) => asked.push(socket.url()));
  const path = '/clusters/1/pods?ns=shop&_w=1r50-50(*,/clusters/1/nodes)';
  await page.goto(app().url + path);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${app().url}/login`);
  await expect(page.getByRole('main')).toContainText('/clusters/1/pods?ns=shop');
  expect(asked).toEqual([]);
});

for (const { by, it } of eachHand) {
  it(`a console whose server does not say who is signed in can be tried again (${by})`, async ({
    page,
    context,
    allow,
    hands,
  }) => {
    allow(/ERR_FAILED/, /Problem: The console’s server did not answer/);
    await app().enter(context);
    await page.route('**/api/auth/is-authenticated', (route) => route.abort());
    await page.goto(`${app().url}/clusters/1/pods`);
    const alert = page.getByRole('alert').filter({ hasText: 'The console could not be opened.' });
    await expect(alert).toBeVisible();
    await expect(podsOf(page)).toHaveCount(0);
    await page.unroute('**/api/auth/is-authenticated');
    await hands.press(alert.getByRole('button', { name: 'Retry' }));
    await expect(statusLine(page)).toContainText(/^Live/);
    await expect(alert).toBeHidden();
  });

  it(`Back asks before it loses what was typed, and the browser stays where it was meanwhile (${by})`, async ({
    page,
    hands,
  }) => {
    await page.goto(`${app().url}/invite-rejected`);
    await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
    await hands.write(page.getByLabel('Email'), owner.email);
    await hands.write(page.getByLabel(/^Password/), owner.password);
    await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
    await expect(page).toHaveURL(`${app().url}/`);
    await hands.press(page.getByRole('banner').getByRole('link', { name: 'Settings' }));
    await hands.press(
      page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Keymap' }),
    );
    // Few of the commands, so that Tab soon gets past them.
    await hands.write(page.getByRole('searchbox', { name: 'Search commands' }), 'sidebar');
    const keys = page.getByRole('textbox', { name: 'Your keys as JSON' });
    await hands.write(keys, '[ ]');

    const asked = dialogOf(page, 'Leave this page?');
    // To the page without the console's tabs, which would end them all.
    const goBack = () => page.evaluate(() => history.go(-3));
    await goBack();
    await expect(asked).toContainText('keys that are not saved');
    await expect(page).toHaveURL(`${app().url}/settings?section=keys`);
    await hands.press(asked.getByRole('button', { name: 'Stay' }));
    await expect(asked).toBeHidden();
    await expect(keys).toHaveValue('[ ]');

    await goBack();
    await hands.press(asked.getByRole('button', { name: 'Leave anyway' }));
    await expect(page).toHaveURL(`${app().url}/invite-rejected`);
    await expect(page.getByText('You declined this invitation.')).toBeVisible();
    await page.evaluate(() => history.go(3));
    await expect(page).toHaveURL(`${app().url}/settings?section=keys`);
    await expect(keys).toHaveValue('[]');
  });
}

test('another hash in the address is no place of its own, and Back goes on from there', async ({
  page,
  context,
}) => {
  await app().enter(context);
  await page.goto(`${app().url}/clusters`);
  await expect(page.getByRole('heading', { name: 'Clusters', level: 1 })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL(`${app().url}/`);
  await page.evaluate(() => {
    location.hash = 'elsewhere';
  });
  await expect(page).toHaveURL(`${app().url}/`);
  await page.evaluate(() => history.go(-2));
  await expect(page).toHaveURL(`${app().url}/clusters`);
  await expect(page.getByRole('heading', { name: 'Clusters', level: 1 })).toBeVisible();
});
