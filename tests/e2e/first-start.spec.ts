import { type Locator, type Page } from 'playwright/test';
import { type Hands, keyboard, pointer, tabTo } from './hands.ts';
import { companyName, expect, owner, test } from './kit.ts';
import { filterField, podRow, podRows, podsOf, statusLine } from './places.ts';
import { type Product, type SecondCluster, startProduct, startSecondCluster } from './product.ts';

const usedLink = 'This set-up link was already used. Sign in with the account that was created with it.';

/** From the printed link to home: the Owner's form, then the organisation's. */
async function setUp(page: Page, product: Product, hands: Hands): Promise<void> {
  await page.goto(product.setupLink);
  await expect(page).toHaveURL(`${product.url}/login`);
  await expect(page.getByLabel('Your name')).toBeFocused();
  await hands.write(page.getByLabel('Your name'), owner.name);
  await hands.write(page.getByLabel('Email'), owner.email);
  await hands.write(page.getByLabel(/^Password/), owner.password);
  await hands.press(page.getByRole('button', { name: 'Create the Owner' }));

  await expect(page).toHaveURL(`${product.url}/setup-company`);
  await expect(page.getByLabel('Name of the organisation')).toBeFocused();
  // A page of its own has no palette: the key is the browser's, and nothing names it.
  await expect(page.locator('kbd')).toHaveCount(0);
  const isLeft = page.evaluate(
    () =>
      new Promise((done) =>
        addEventListener('keydown', (event) => done(!event.defaultPrevented), { once: true }),
      ),
  );
  await page.keyboard.press('ControlOrMeta+k');
  expect(await isLeft).toBe(true);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await hands.write(page.getByLabel('Name of the organisation'), companyName);
  await hands.press(page.getByRole('button', { name: 'Create the organisation' }));

  await expect(page).toHaveURL(`${product.url}/`);
  await expect(page.getByRole('heading', { name: companyName })).toBeVisible();
}

/** The token of the set-up link is nowhere a next person at this browser could find it. */
async function expectNoToken(page: Page, product: Product): Promise<void> {
  const token = product.setupLink.split('#setup=')[1] ?? '';
  expect(token.length).toBeGreaterThan(20);
  const kept = await page.evaluate(() => {
    const stores = [localStorage, sessionStorage].map((store) => JSON.stringify(store));
    return [location.href, JSON.stringify(history.state), document.cookie, ...stores].join('\n');
  });
  expect(kept).not.toContain(token);
  const client = await page.context().newCDPSession(page);
  const { entries } = (await client.send('Page.getNavigationHistory')) as { entries: { url: string }[] };
  expect(entries.map(({ url }) => url).filter((url) => url.includes('setup='))).toEqual([]);
}

/** What a row says beside its age, which counts up by itself. */
async function statesOf(grid: Locator): Promise<string> {
  const rows = await grid.getByRole('row').allInnerTexts();
  return rows.map((text) => text.split('\n').slice(0, -1).join(' ')).join('\n');
}

test.describe('the first start', () => {
  let product: Product;
  test.beforeAll(async () => {
    product = await startProduct();
  });
  test.afterAll(() => product.remove());

  test('leads from the printed link to pods that change', async ({ page, another, allow }) => {
    const hands = pointer(page);
    await setUp(page, product, hands);
    await expectNoToken(page, product);

    const playground = page.getByRole('main').getByRole('link', { name: /playground(?!-staging)/i });
    // Asked again every 15 s when it was still seeding.
    const line = page
      .getByRole('main')
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: /^playground$/i }) });
    await expect(line).toContainText(/v1\.\d+\.\d+/, { timeout: 90_000 });
    await hands.press(playground);
    await expect(page).toHaveURL(/\/clusters\/\d+$/);
    await hands.press(page.getByRole('main').getByRole('link', { name: 'Pods' }));
    await expect(page).toHaveURL(/\/clusters\/\d+\/pods$/);
    const pods = podsOf(page);
    await expect(pods.getByRole('row', { name: /email-worker-.*CrashLoopBackOff/ }).first()).toBeVisible();
    await expect(statusLine(page)).toContainText(/^Live/);
    const before = await statesOf(pods);

    await test.step('the link works once only', async () => {
      allow(/410 \(Gone\)/, /failed with 410/);
      const other = await (await another()).newPage();
      await other.goto(product.setupLink);
      await other.getByLabel('Your name').fill('Somebody Else');
      await other.getByLabel('Email').fill('else@example.org');
      await other.getByLabel(/^Password/).fill(owner.password);
      await other.getByRole('button', { name: 'Create the Owner' }).click();
      await expect(other.getByRole('alert')).toContainText(usedLink);
      await expect(other.getByLabel('Your name')).toHaveValue('Somebody Else');
      await other.getByRole('button', { name: 'Sign in instead' }).click();
      await expect(other.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
      await expectNoToken(other, product);
    });

    await test.step('the playground lives', async () => {
      await expect.poll(() => statesOf(pods), { timeout: 90_000, intervals: [500] }).not.toBe(before);
    });
  });
});

test.describe('the first start with an operator’s own cluster', () => {
  let cluster: SecondCluster;
  let product: Product;
  test.beforeAll(async () => {
    cluster = await startSecondCluster('--name', 'harbour');
    product = await startProduct({ WHEELHOUSE_KUBECONFIG: cluster.kubeconfigFile });
  });
  test.afterAll(async () => {
    await product.remove();
    await cluster.stop();
  });

  test('leads by keyboard alone from the printed link to pods that change', async ({
    page,
    withoutMouse,
  }) => {
    await withoutMouse();
    const hands = keyboard(page);
    await setUp(page, product, hands);
    await expectNoToken(page, product);

    await hands.press(page.getByRole('main').getByRole('link', { name: /^harbour/ }));
    await hands.press(page.getByRole('main').getByRole('link', { name: 'Pods' }));
    const pods = podsOf(page);
    await expect(statusLine(page)).toContainText(/^Live/);

    await test.step('a deleted pod goes and its replacement comes within two seconds', async () => {
      await hands.write(filterField(page), 'name:email-worker-*');
      await expect(podRows(page)).toHaveCount(2);
      const names = await cluster.podNames('shop', 'email-worker-');
      const [gone = ''] = names;
      await cluster.call('DELETE', `/api/v1/namespaces/shop/pods/${gone}`, { gracePeriodSeconds: 0 });
      await expect(podRow(page, gone)).toHaveCount(0, { timeout: 2_000 });
      await expect(podRows(page)).toHaveCount(2, { timeout: 2_000 });
      const shown = await podRows(page).allInnerTexts();
      const fresh = (await cluster.podNames('shop', 'email-worker-')).filter((name) => !names.includes(name));
      expect(fresh).toHaveLength(1);
      expect(shown.filter((text) => text.replaceAll('\n', '').includes(fresh[0] ?? ''))).toHaveLength(1);
      await expect(podRow(page, fresh[0] ?? '')).toContainText(/Running|Error|CrashLoopBackOff/);
      await expect(page.getByRole('status').filter({ hasText: /^2 of \d+$/ })).toBeVisible();
    });

    await test.step('the list has the keys', async () => {
      await tabTo(pods);
      await page.keyboard.press('j');
      await expect(pods.locator('[role=row][aria-current=true]')).toHaveCount(1);
    });
  });
});
