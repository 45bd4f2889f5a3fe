import type { Locator, Page } from 'playwright/test';
import { TestClient } from '../server/http-client.ts';
import { bothHands, expectFocusShown, type Hands, keyboard, tabTo } from './hands.ts';
import { eachHand, expect, localClusters, owner, sharedApp, test } from './kit.ts';
import { type SecondCluster, startSecondCluster } from './product.ts';
import { addViewer } from './store.ts';

const app = sharedApp(localClusters);
let cluster: SecondCluster;
let otherId: number;
const viewer = 'kim@example.org';

test.beforeAll(async () => {
  cluster = await startSecondCluster();
  const body = { name: 'Quay', description: '', kubeConfigContent: cluster.kubeconfig };
  otherId = (await app().client.call('addCluster', { body })).id;
  await addViewer(app().product, viewer, 1);
});
test.afterAll(() => cluster.stop());

const tiles = (page: Page): Locator => page.locator('main [data-tile]:visible');
const tile = (page: Page, name: RegExp): Locator => page.getByRole('region', { name });
const podsTile = (page: Page): Locator => tile(page, /^Pods in /);
const inSidebar = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: new RegExp(`^${name}`) });
const rowsOf = (within: Locator): Locator =>
  within.getByRole('row').filter({ has: within.page().getByRole('gridcell') });
const isFocused = (of: Locator): Promise<boolean> =>
  of.evaluate((element) => element.classList.contains('focused'));
const live = (of: Locator): Locator => of.getByRole('status').filter({ hasText: /^Live/ });

/** Does something with the focused tile: by its keys, or in the menu behind its tabs. */
async function act(page: Page, hands: Hands, keys: string, title: string): Promise<void> {
  if (hands.name === 'keyboard') for (const key of keys.split(' ')) await page.keyboard.press(key);
  else
    await hands.pick(
      page.locator('.tile.focused').getByRole('button', { name: /tabs$|^Tab and tile$/ }),
      title,
    );
}

/** Where the tiles stand: names from left to right, then from top to bottom. */
async function standing(page: Page): Promise<readonly string[]> {
  const found = await tiles(page).evaluateAll((elements) =>
    elements.map((element) => {
      const { left, top } = element.getBoundingClientRect();
      return { left, top, name: element.getAttribute('aria-label')?.split(/,? (?:in|tile) /)[0] ?? '' };
    }),
  );
  return found.sort((a, b) => a.left - b.left || a.top - b.top).map(({ name }) => name);
}

const podNames = async (of: Locator): Promise<readonly string[]> =>
  (await rowsOf(of).locator('.name').allInnerTexts()).map((text) => text.replaceAll(/\s/g, '')).sort();

async function expectFocusInside(of: Locator): Promise<void> {
  await expect.poll(() => of.evaluate((element) => element.contains(document.activeElement))).toBe(true);
}

/** The pods of a deployment on the left, the deployment on the right. */
async function openSideBySide(page: Page, hands: Hands, name: string): Promise<Locator> {
  await page.goto(`${app().url}/clusters/1/deployments?ns=shop&q=${name}`);
  await expect(rowsOf(tile(page, /^Deployments/))).toHaveCount(1);
  if (hands.name === 'keyboard') {
    await page.keyboard.press('ControlOrMeta+Enter');
  } else {
    await act(page, hands, '', 'Split right');
    await expect(tiles(page)).toHaveCount(2);
    await rowsOf(page.locator('.tile.focused')).locator('.name').dblclick();
  }
  const detail = tile(page, new RegExp(`^${name} in playground`));
  await expect(detail.getByRole('heading', { name, exact: true })).toBeVisible();
  await expect(live(detail)).toBeVisible();
  await expect(tiles(page)).toHaveCount(2);
  expect(await isFocused(detail)).toBe(true);
  if (hands.name === 'keyboard') {
    await page.keyboard.press('w');
    await page.keyboard.press('h');
  } else
    await tile(page, /^Deployments/)
      .locator('.status')
      .click();
  await expectFocusInside(tile(page, /^Deployments/));
  const filter = podsTile(page).getByRole('textbox', { name: /^Filter / });
  if (hands.name === 'keyboard') {
    // Tab on the way to the sidebar would lead through the other tile, and focus it.
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await expect(live(podsTile(page))).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.type(`${name}-`);
  } else {
    await inSidebar(page, 'Pods').click();
    await expect(live(podsTile(page))).toBeVisible();
    await filter.fill(`${name}-`);
  }
  await expect(page).toHaveURL(/\/clusters\/1\/pods\?q=[a-z-]+&_w=1r50-50\(\*,\//);
  return detail;
}

for (const { by, it } of eachHand) {
  it(`pods and a deployment side by side: restarted, watched, sent to somebody else (${by})`, async ({
    page,
    context,
    another,
    hands,
  }) => {
    await app().enter(context);
    const name = hands.name === 'keyboard' ? 'catalog-api' : 'cart';
    const detail = await openSideBySide(page, hands, name);
    const pods = podsTile(page);
    expect(await standing(page)).toEqual(['Pods', name]);
    await expect.poll(async () => (await podNames(pods)).length).toBeGreaterThan(1);
    const before = await podNames(pods);

    await test.step('what is restarted on the right rolls on the left', async () => {
      if (hands.name === 'keyboard') {
        await page.keyboard.press('Escape');
        await page.keyboard.press('w');
        await page.keyboard.press('l');
        await expectFocusInside(detail);
        await expectFocusShown(page);
        await page.keyboard.press('r');
      } else await detail.getByRole('button', { name: 'Restart' }).click();
      await expect(page.getByText(new RegExp(`^Deployment ${name} restarted`))).toBeVisible();
      await expect
        .poll(async () => (await podNames(pods)).some((pod) => !before.includes(pod)), { timeout: 30_000 })
        .toBe(true);
      await expect
        .poll(async () => (await podNames(pods)).filter((pod) => before.includes(pod)), { timeout: 60_000 })
        .toEqual([]);
    });

    const url = page.url();
    await test.step('the link shows somebody else the same', async () => {
      const theirs = await another();
      const client = new TestClient(app().url);
      await client.call('signIn', { body: { email: viewer, password: owner.password } });
      await theirs.addCookies(
        [...client.cookies].map(([key, value]) => ({ name: key, value, url: app().url })),
      );
      const other = await theirs.newPage();
      await other.goto(url);
      await expect(live(podsTile(other))).toBeVisible();
      await expect(
        tile(other, new RegExp(`^${name} in`)).getByRole('heading', { name, exact: true }),
      ).toBeVisible();
      expect(await standing(other)).toEqual(['Pods', name]);
      // Both follow the same cluster, which goes on meanwhile.
      await expect
        .poll(async () => String(await podNames(podsTile(other))) === String(await podNames(pods)))
        .toBe(true);
      await expect(other).toHaveURL(url);
      expect(await isFocused(tile(other, new RegExp(`^${name} in`)))).toBe(true);
    });

    await test.step('a reload shows the same', async () => {
      await page.reload();
      await expect(live(podsTile(page))).toBeVisible();
      await expect(live(detail)).toBeVisible();
      await expect(page).toHaveURL(url);
      expect(await standing(page)).toEqual(['Pods', name]);
      // The tabs in the background are there as well.
      await expect(podsTile(page).getByRole('tab')).toHaveText(['Deployments', 'Pods']);
    });

    await test.step('one tile covers the others, and no more', async () => {
      await act(page, hands, 'w m', 'Maximise tile');
      await expect(tiles(page)).toHaveCount(1);
      await expect(page).toHaveURL(/_w=1mr/);
      await hands.press(page.getByRole('button', { name: 'Tile 2 / 2: next tile' }));
      await expect(podsTile(page)).toBeVisible();
      await expect(detail).toBeHidden();
      await expectFocusInside(podsTile(page));
      await act(page, hands, 'w m', 'Maximise tile');
      await expect(tiles(page)).toHaveCount(2);
    });

    await test.step('a tile moves', async () => {
      if (hands.name === 'keyboard') await act(page, hands, 'w Shift+L', '');
      else {
        const bar = await podsTile(page).locator('.tabs').boundingBox();
        const to = await detail.boundingBox();
        if (bar === null || to === null) throw new Error('A tile has no place.');
        await page.mouse.move(bar.x + bar.width - 200, bar.y + 15);
        await page.mouse.down();
        await page.mouse.move(to.x + 100, to.y + 200, { steps: 4 });
        await expect(page.locator('.drop-mark')).toBeVisible();
        await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
        await page.mouse.up();
      }
      await expect.poll(() => standing(page)).toEqual([name, 'Pods']);
      await expect(live(podsTile(page))).toBeVisible();
    });

    await test.step('closing gives its place to the other, back and forward bring it back and take it away', async () => {
      await act(page, hands, 'w q', 'Close tile');
      await expect(tiles(page)).toHaveCount(1);
      await expect(page).not.toHaveURL(/_w=/);
      await expectFocusInside(detail);
      await page.goBack();
      await expect.poll(() => standing(page)).toEqual([name, 'Pods']);
      await expect.poll(async () => (await podNames(podsTile(page))).length).toBeGreaterThan(1);
      await page.goBack();
      await expect.poll(() => standing(page)).toEqual(['Pods', name]);
      await page.goForward();
      await page.goForward();
      await expect(tiles(page)).toHaveCount(1);
    });
  });

  it(`a tile shows another cluster than its neighbour (${by})`, async ({ page, context, hands }) => {
    await app().enter(context);
    await page.goto(`${app().url}/clusters/1/pods?_w=1r50-50(*,/clusters/${otherId}/pods)`);
    const dropdown = page.getByRole('button', { name: /^Cluster: / });
    const [ours, theirs] = [tile(page, /^Pods in playground/), tile(page, /^Pods in Quay/)];
    await expect(live(ours)).toBeVisible();
    await expect(live(theirs)).toBeVisible();
    await expect(dropdown).toHaveText('playground');
    if (hands.name === 'keyboard') await act(page, hands, 'w l', '');
    else await theirs.locator('.status').click();
    await expect(dropdown).toHaveText('Quay');
    await expect(page).toHaveURL(
      new RegExp(`/clusters/${otherId}/pods\\?_w=1r50-50\\(/clusters/1/pods,\\*\\)$`),
    );
    await expect(tiles(page)).toHaveCount(2);

    await test.step('choosing a cluster in the dropdown is the change of cluster: it clears every tile', async () => {
      await hands.pick(dropdown, 'playground');
      await expect(tiles(page)).toHaveCount(1);
      await expect(page).toHaveURL(`${app().url}/clusters/1/pods`);
    });
  });

  it(`the boundary between tiles is moved (${by})`, async ({ page, context, hands }) => {
    await app().enter(context);
    await page.goto(`${app().url}/clusters/1/pods?_w=1r50-50(*,/clusters/1/deployments)`);
    const boundary = page.getByRole('separator', { name: 'Between Pods and Deployments' });
    await expect(boundary).toHaveAttribute('aria-valuenow', '50');
    await expect(boundary).toHaveAttribute('aria-orientation', 'vertical');
    const width = async () => Math.round((await podsTile(page).boundingBox())?.width ?? 0);
    const half = await width();
    const entries = () => page.evaluate(() => history.length);
    const length = await entries();
    if (hands.name === 'keyboard') {
      await tabTo(boundary);
      await page.keyboard.press('ArrowRight');
      await expect(boundary).toHaveAttribute('aria-valuenow', '52');
      await page.keyboard.press('Shift+ArrowRight');
      await expect(boundary).toHaveAttribute('aria-valuenow', '62');
      await page.keyboard.press('End');
      await expect(boundary).toHaveAttribute('aria-valuenow', '95');
      await page.keyboard.press('Home');
      await expect(boundary).toHaveAttribute('aria-valuenow', '5');
      await page.keyboard.press('Enter');
      await expect(boundary).toHaveAttribute('aria-valuenow', '50');
      await act(page, hands, 'w h', '');
      await act(page, hands, 'w >', '');
    } else {
      const box = await boundary.boundingBox();
      if (box === null) throw new Error('The boundary has no place.');
      await page.mouse.move(box.x + 4, box.y + 200);
      await page.mouse.down();
      await page.mouse.move(box.x + 4 + half / 10, box.y + 200, { steps: 5 });
      await page.mouse.up();
    }
    await expect(boundary).toHaveAttribute('aria-valuenow', '55');
    expect(await width()).toBeGreaterThan(half + half / 20);
    await expect(page).toHaveURL(/_w=1r5[45][\d.]*-4/);
    expect(await entries()).toBe(length);
    await page.reload();
    await expect(boundary).toHaveAttribute('aria-valuenow', '55');
  });
}

test('a tab is dragged among tabs, into another tile, and to an edge, and keeps its view', async ({
  page,
  context,
}) => {
  await app().enter(context);
  await page.goto(`${app().url}/clusters/1/deployments`);
  await inSidebar(page, 'Pods').click();
  await inSidebar(page, 'Namespaces').click();
  const names = () => page.locator('.tile.focused').getByRole('tab').allInnerTexts();
  await expect.poll(names).toEqual(['Deployments', 'Pods', 'Namespaces']);
  const drag = async (name: string, x: number, y: number) => {
    const from = await page.getByRole('tab', { name }).boundingBox();
    if (from === null) throw new Error('The tab has no place.');
    await page.mouse.move(from.x + 30, from.y + 12);
    await page.mouse.down();
    await page.mouse.move(from.x + 50, from.y + 14, { steps: 3 });
    await page.mouse.move(x, y, { steps: 4 });
    await expect(page.locator('.drop-mark')).toBeVisible();
    await page.mouse.up();
    await expect(page.locator('.drop-mark')).toBeHidden();
  };
  const first = await page.getByRole('tab', { name: 'Deployments' }).boundingBox();
  await drag('Namespaces', (first?.x ?? 0) + 10, (first?.y ?? 0) + 12);
  await expect.poll(names).toEqual(['Namespaces', 'Deployments', 'Pods']);

  await page.getByRole('tab', { name: 'Pods' }).click();
  await expect(live(podsTile(page))).toBeVisible();
  await page.keyboard.press('j');
  const cursor = podsTile(page).locator('[role=row][aria-current=true]');
  await expect(cursor).toHaveAttribute('aria-rowindex', '3');
  await drag('Pods', 1_400, 500);
  await expect.poll(() => standing(page)).toEqual(['Deployments', 'Pods']);
  await expect(cursor).toHaveAttribute('aria-rowindex', '3');
  await expectFocusInside(podsTile(page));
  await drag('Namespaces', 1_100, 500);
  await expect.poll(names).toEqual(['Pods', 'Namespaces']);
  await expect(page).toHaveURL(/\/namespaces\?_w=1r50-50\(\/clusters\/1\/deployments,\*\)$/);
});

test('a narrow window shows one tile at a time, with a way to the others', async ({ page, context }) => {
  await app().enter(context);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${app().url}/clusters/1/pods?_w=1r50-50(*,/clusters/1/deployments)`);
  await expect(live(podsTile(page))).toBeVisible();
  await expect(tiles(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Tile 1 / 2: next tile' }).click();
  await expect(live(tile(page, /^Deployments/))).toBeVisible();
  await expect(tiles(page)).toHaveCount(1);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(tiles(page)).toHaveCount(2);
});

for (const handsOf of bothHands) {
  test(`a tab is put beside by hand, Esc gives a drag up, a ninth tile is refused (${handsOf.name})`, async ({
    another,
    withoutMouse,
  }) => {
    const context = await another({ viewport: { width: 1440, height: 900 }, hasTouch: true });
    const page = await context.newPage();
    const hands = handsOf(page);
    if (hands.name === 'keyboard') await withoutMouse();
    await app().enter(context);
    await page.goto(`${app().url}/clusters/1/deployments`);
    await expect(live(page.locator('.tile.focused'))).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await expect(page.getByRole('tab')).toHaveText(['Deployments', 'Nodes']);
    const mark = page.locator('.drop-mark');

    await test.step('beside the others', async () => {
      if (hands.name === 'keyboard') {
        await page.keyboard.press('m');
        await page.keyboard.press('l');
      } else {
        // By finger: along the tabs it would scroll, so it begins downwards.
        const from = await page.getByRole('tab', { name: 'Nodes' }).boundingBox();
        if (from === null) throw new Error('The tab has no place.');
        const touch = await context.newCDPSession(page);
        const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
          touch.send('Input.dispatchTouchEvent', {
            type,
            touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
          });
        await send('touchStart', from.x + 30, from.y + 12);
        for (const y of [20, 60, 150, 300]) await send('touchMove', from.x + 30, from.y + y);
        await send('touchMove', 1_400, 500);
        await expect(mark).toBeVisible();
        await send('touchEnd', 1_400, 500);
        await touch.detach();
      }
      await expect.poll(() => standing(page)).toEqual(['Deployments', 'Nodes']);
      await expectFocusInside(page.locator('.tile.focused'));
    });

    if (hands.name === 'pointer') {
      await test.step('Esc leaves everything where it was', async () => {
        const url = page.url();
        const from = await page.getByRole('tab', { name: 'Nodes' }).boundingBox();
        if (from === null) throw new Error('The tab has no place.');
        await page.mouse.move(from.x + 30, from.y + 12);
        await page.mouse.down();
        await page.mouse.move(400, 500, { steps: 4 });
        await expect(mark).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(mark).toBeHidden();
        await page.mouse.move(300, 400);
        await page.mouse.up();
        await expect(mark).toBeHidden();
        expect(await standing(page)).toEqual(['Deployments', 'Nodes']);
        expect(page.url()).toBe(url);
      });
    }

    await test.step('eight tiles are as many as fit', async () => {
      const row = 'c25-25-25-25(/clusters/1/pods,/clusters/1/nodes,/clusters/1/jobs,/clusters/1/events)';
      const first = row.replace('/clusters/1/pods', '*');
      await page.goto(`${app().url}/clusters/1/services?_w=1r50-50(${first},${row})`);
      await expect(tiles(page)).toHaveCount(8);
      await expect(live(page.locator('.tile.focused'))).toBeVisible();
      await page.keyboard.press('g');
      await page.keyboard.press('d');
      await expect(tile(page, /^Deployments/).getByRole('tab', { name: 'Deployments' })).toBeVisible();
      // Beside the tabs it had: a lone one would take its tile along.
      await expect(tile(page, /^Deployments/).getByRole('tab')).not.toHaveCount(1);
      const url = page.url();
      if (hands.name === 'keyboard') {
        await page.keyboard.press('w');
        await page.keyboard.press('v');
      } else {
        const from = await tile(page, /^Deployments/)
          .getByRole('tab', { name: 'Deployments' })
          .boundingBox();
        const to = await tile(page, /^Deployments/).boundingBox();
        if (from === null || to === null) throw new Error('The tile has no place.');
        await page.mouse.move(from.x + 30, from.y + 12);
        await page.mouse.down();
        await page.mouse.move(to.x + to.width - 8, to.y + to.height - 60, { steps: 5 });
        await expect(mark).toBeVisible();
        await page.mouse.up();
      }
      await expect(page.locator('.toast')).toHaveText(/At most 8 tiles fit\. Close one first\./);
      await expect(tiles(page)).toHaveCount(8);
      expect(page.url()).toBe(url);
      await expectFocusInside(page.locator('.tile.focused'));
    });
  });
}

test('a cluster that is not there leads the focused tile home and is said in another', async ({
  page,
  context,
}) => {
  await app().enter(context);
  await page.goto(`${app().url}/clusters/999/pods?_w=1r50-50(*,/clusters/999/deployments)`);
  await expect(tile(page, /^Home/).getByRole('heading', { name: /^Clusters/ })).toBeVisible();
  const lost = tile(page, /^Deployments/);
  await expect(lost.getByRole('heading', { name: 'No such cluster' })).toBeVisible();
  await lost.getByRole('button', { name: 'Close' }).click();
  await expect(tiles(page)).toHaveCount(1);
});

test('a broken link shows one tile, and its layout is never another site', async ({ page, context }) => {
  await app().enter(context);
  for (const broken of [
    '1r50-50(*,//evil.example)',
    '1r50-50(*',
    '9r50-50(*,/clusters)',
    '1r50-50(*,/~5C~5Cevil.example)',
  ]) {
    await page.goto(`${app().url}/clusters/1/pods?q=cart-&_w=${broken}`);
    await expect(live(podsTile(page))).toBeVisible();
    await expect(tiles(page)).toHaveCount(1);
    await expect
      .poll(async () => (await podNames(podsTile(page))).every((pod) => pod.startsWith('cart-')))
      .toBe(true);
  }
});

test('the focus is never left to the page, whatever is closed or moved', async ({
  page,
  context,
  withoutMouse,
}) => {
  await withoutMouse();
  await app().enter(context);
  await page.goto(`${app().url}/clusters/1/pods`);
  await expect(live(podsTile(page))).toBeVisible();
  const hands = keyboard(page);
  for (const keys of [
    'w v',
    'w s',
    'w k',
    'w h',
    'w Shift+L',
    'm h',
    'w n',
    'w =',
    'w q',
    'x',
    'w v',
    'w q',
  ]) {
    await act(page, hands, keys, '');
    await expectFocusInside(page.locator('.tile.focused'));
    await expectFocusShown(page);
  }
});
