import type { Locator, Page } from 'playwright/test';
import { TestClient } from '../server/http-client.ts';
import { sharedCluster } from './cluster.ts';
import { armed, expectFocusShown, type Hands, tabTo } from './hands.ts';
import { eachHand, expect, ownClusters, owner, sharedApp, test } from './kit.ts';
import { dialogOf, focusedTile, nameLink } from './places.ts';
import { type SecondCluster, startSecondCluster } from './product.ts';
import { addViewer } from './store.ts';
import { kept } from './workspace/kept.ts';
import { links } from './workspace/links.ts';
import { moves } from './workspace/moves.ts';
import {
  act,
  dropMark,
  expectDraggable,
  expectFocusInside,
  inSidebar,
  isFocused,
  live,
  podNames,
  podsTile,
  rowsOf,
  titles,
  tile,
  tiles,
} from './workspace/tiles.ts';

const app = sharedApp(ownClusters);
sharedCluster(app, 'playground');
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

/** The pods of a deployment on the left, the deployment on the right. */
async function openSideBySide(page: Page, hands: Hands, name: string): Promise<Locator> {
  await page.goto(`${app().url}/clusters/1/deployments?ns=shop&q=${name}`);
  await expect(rowsOf(tile(page, /^Deployments/))).toHaveCount(1);
  if (hands.name === 'keyboard') {
    await page.keyboard.press('ControlOrMeta+Enter');
  } else {
    await act(page, hands, '', 'Split right');
    await expect(tiles(page)).toHaveCount(2);
    await nameLink(rowsOf(focusedTile(page)), name).click();
  }
  const detail = tile(page, new RegExp(`^${name} in playground`));
  await expect(detail.getByRole('heading', { name, exact: true })).toBeVisible();
  await expect(live(detail)).toBeVisible();
  await expect(tiles(page)).toHaveCount(2);
  await expect.poll(() => isFocused(detail)).toBe(true);
  if (hands.name === 'keyboard') {
    await page.keyboard.press('w');
    await page.keyboard.press('h');
  } else
    await tile(page, /^Deployments/)
      .locator('[data-status-line]')
      .click();
  await expectFocusInside(tile(page, /^Deployments/));
  const filter = podsTile(page).getByRole('combobox', { name: /^Filter / });
  if (hands.name === 'keyboard') {
    // Tab on the way to the sidebar would lead through the other tile, and focus it.
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await expect(live(podsTile(page))).toBeVisible();
    await page.keyboard.press('/');
    await expect(filter).toBeFocused();
    await page.keyboard.type(`${name}-`);
  } else {
    await inSidebar(page, 'Pods').click();
    await expect(live(podsTile(page))).toBeVisible();
    await filter.fill(`${name}-`);
  }
  await expect(page).toHaveURL(/\/clusters\/1\/pods\?ns=shop&q=[a-z-]+&_w=1r50-50\(\*,\//);
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
    await expect.poll(() => titles(page)).toEqual(['Pods', name]);
    let before: readonly string[] = [];
    await expect
      .poll(async () => {
        before = await podNames(pods);
        return before.length > 1 && before.every((pod) => pod.startsWith(`${name}-`));
      }, 'the pods that the filter leaves')
      .toBe(true);

    await test.step('what is restarted on the right rolls on the left', async () => {
      if (hands.name === 'keyboard') {
        await page.keyboard.press('Escape');
        await page.keyboard.press('w');
        await page.keyboard.press('l');
        await expectFocusInside(detail);
        await expectFocusShown(page);
        await page.keyboard.press('r');
      } else await detail.getByRole('button', { name: 'Restart' }).click();
      const verb = dialogOf(page, `Restart Deployment ${name}`).getByRole('button', { name: 'Restart' });
      await expect(verb).toBeFocused();
      await armed(verb);
      if (hands.name === 'keyboard') await page.keyboard.press('Enter');
      else await verb.click();
      await expect(page.getByText(new RegExp(`^Deployment ${name} restarted`))).toBeVisible();
      await expect.poll(async () => (await podNames(pods)).some((pod) => !before.includes(pod))).toBe(true);
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
      await expect.poll(() => titles(other)).toEqual(['Pods', name]);
      // Both follow the same cluster, which goes on meanwhile.
      await expect
        .poll(async () => String(await podNames(podsTile(other))) === String(await podNames(pods)))
        .toBe(true);
      await expect(other).toHaveURL(url);
      await expect.poll(() => isFocused(tile(other, new RegExp(`^${name} in`)))).toBe(true);
    });

    await test.step('a reload shows the same', async () => {
      await page.reload();
      await expect(live(podsTile(page))).toBeVisible();
      await expect(live(detail)).toBeVisible();
      await expect(page).toHaveURL(url);
      await expect.poll(() => titles(page)).toEqual(['Pods', name]);
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
        await expectDraggable(podsTile(page).getByRole('tab').first());
        const bar = await podsTile(page).locator('[data-tile-bar]').boundingBox();
        const to = await detail.boundingBox();
        if (bar === null || to === null) throw new Error('A tile has no place.');
        await page.mouse.move(bar.x + bar.width - 200, bar.y + 15);
        await page.mouse.down();
        await page.mouse.move(to.x + 100, to.y + 200, { steps: 4 });
        await expect(dropMark(page)).toBeVisible();
        await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
        await page.mouse.up();
      }
      await expect.poll(() => titles(page)).toEqual([name, 'Pods']);
      await expect(live(podsTile(page))).toBeVisible();
    });

    await test.step('closing gives its place to the other, back and forward bring it back and take it away', async () => {
      await act(page, hands, 'w q', 'Close tile');
      await expect(tiles(page)).toHaveCount(1);
      await expect(page).not.toHaveURL(/_w=/);
      await expectFocusInside(detail);
      await page.goBack();
      await expect.poll(() => titles(page)).toEqual([name, 'Pods']);
      await expect.poll(async () => (await podNames(podsTile(page))).length).toBeGreaterThan(1);
      await page.goBack();
      await expect.poll(() => titles(page)).toEqual(['Pods', name]);
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
    else await theirs.locator('[data-status-line]').click();
    await expect(dropdown).toHaveText('Quay');
    await expect(page).toHaveURL(
      new RegExp(`/clusters/${otherId}/pods\\?_w=1r50-50\\(/clusters/1/pods,\\*\\)$`),
    );
    await expect(tiles(page)).toHaveCount(2);

    await test.step('choosing the cluster that shows keeps every tile', async () => {
      // By Tab the way to the dropdown leads through the first tile, whose cluster shows from then on.
      await hands.pick(dropdown, hands.name === 'keyboard' ? 'playground' : 'Quay');
      await expect(dropdown).toHaveAttribute('aria-expanded', 'false');
      await expect(tiles(page)).toHaveCount(2);
    });

    await test.step('choosing another one is the change of cluster: it clears every tile', async () => {
      const [name, id] = hands.name === 'keyboard' ? ['Quay', otherId] : ['playground', 1];
      await hands.pick(dropdown, name);
      await expect(tiles(page)).toHaveCount(1);
      await expect(page).toHaveURL(`${app().url}/clusters/${id}/pods`);
    });

    await test.step('a link that was cut off on its way shows one tile, and says so', async () => {
      await page.goto(`${app().url}/clusters/1/pods?_w=1r50-50(*,/clusters/${otherId}/po`);
      await expect(page.getByText('The tiles of this link could not be read')).toBeVisible();
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
    // What is measured stands once there is something to see.
    await expect(live(podsTile(page))).toBeVisible();
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
      await expectDraggable(podsTile(page).getByRole('tab'));
      const box = await boundary.boundingBox();
      if (box === null) throw new Error('The boundary has no place.');
      await page.mouse.move(box.x + 4, box.y + 200);
      await page.mouse.down();
      await page.mouse.move(box.x + 4 + half / 10, box.y + 200, { steps: 5 });
      await page.mouse.up();
    }
    await expect(boundary).toHaveAttribute('aria-valuenow', '55');
    await expect.poll(width).toBeGreaterThan(half + half / 20);
    await expect(page).toHaveURL(/_w=1r5[45][\d.]*-4/);
    expect(await entries()).toBe(length);
    await page.reload();
    await expect(boundary).toHaveAttribute('aria-valuenow', '55');
  });
}

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

moves(app);
kept(app);
links(app);
