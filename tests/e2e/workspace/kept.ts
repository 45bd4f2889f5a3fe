import type { Page } from 'playwright/test';
import { keyboard } from '../hands.ts';
import { type App, expect, test } from '../kit.ts';
import { act, dropMark, expectDraggable, live, podsTile, titles, tile, tiles } from './tiles.ts';

/** Marks the elements of the first view, to be known again. */
const mark = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const view = document.querySelector('[role=tabpanel]:not([hidden])');
    const tab = document.querySelector('[role=tab]');
    const scroller = [...(view?.querySelectorAll('*') ?? [])].find(
      (element) =>
        element.scrollHeight > element.clientHeight + 200 &&
        /auto|scroll/.test(getComputedStyle(element).overflowY),
    );
    if (view == null || tab === null || scroller === undefined) throw new Error('A list is missing.');
    scroller.scrollTop = 180;
    Object.assign(window, { marked: { view, tab, scroller } });
  });

/** What became of them. */
const marked = (page: Page) =>
  page.evaluate(() => {
    const { view, tab, scroller } = (
      window as unknown as { marked: Record<'view' | 'tab' | 'scroller', Element> }
    ).marked;
    return {
      isView: view.isConnected && document.querySelector(`#${view.id}`) === view,
      isTab: tab.isConnected,
      isScroller: scroller.isConnected && view.contains(scroller),
      scrolled: scroller.scrollTop,
      filter: view.querySelector('input')?.value,
    };
  });

const asBefore = { isView: true, isTab: true, isScroller: true, scrolled: 180, filter: 'a' };

/** Keeps the mosaic from being loaded until the answer is called. */
async function holdMosaic(page: Page): Promise<() => void> {
  let letLoad = (): void => undefined;
  const isLet = new Promise<void>((resolve) => {
    letLoad = resolve;
  });
  await page.route(/MosaicFrame/, async (route) => {
    await isLet;
    await route.continue();
  });
  return letLoad;
}

/** Views that stay as they are, whatever becomes of their tiles. @param app the product they are in */
export function kept(app: () => App): void {
  test('a view keeps its elements, text, scrolling and focus when its tile is drawn otherwise', async ({
    page,
    context,
  }) => {
    await app().enter(context);
    const letLoad = await holdMosaic(page);
    await page.goto(`${app().url}/clusters/1/pods`);
    await expect(live(podsTile(page))).toBeVisible();
    const filter = podsTile(page).getByRole('combobox', { name: /^Filter / });
    await filter.fill('a');
    await expect(page).toHaveURL(/q=a/);
    await mark(page);

    await test.step('the mosaic takes over', async () => {
      await expect(page.getByRole('tab').first()).not.toHaveAttribute('draggable', 'true');
      letLoad();
      await expectDraggable(page.getByRole('tab').first());
      expect(await marked(page)).toEqual(asBefore);
      await expect(filter).toBeFocused();
    });

    const hands = keyboard(page);
    await test.step('one tile becomes two', async () => {
      await page.keyboard.press('Escape');
      await filter.fill('a');
      await page.keyboard.press('Control+\\');
      await expect(tiles(page)).toHaveCount(2);
      await expect.poll(() => marked(page)).toEqual(asBefore);
    });

    await test.step('tiles change places', async () => {
      await act(page, hands, 'w Shift+H', '');
      await expect.poll(() => marked(page)).toEqual(asBefore);
      await act(page, hands, 'w h', '');
      await act(page, hands, 'w Shift+J', '');
      await expect.poll(() => marked(page)).toEqual(asBefore);
    });

    await test.step('one covers the others, and no more', async () => {
      await act(page, hands, 'w m', '');
      await expect(tiles(page)).toHaveCount(1);
      await act(page, hands, 'w m', '');
      await expect(tiles(page)).toHaveCount(2);
      await expect.poll(() => marked(page)).toEqual(asBefore);
    });

    await test.step('the tiles are read in their order', async () => {
      const read = await page
        .locator('main [data-tile]')
        .evaluateAll((elements) => elements.map((element) => element.getAttribute('aria-label') ?? ''));
      expect(read.map((name) => name.replace(/^.*, /, ''))).toEqual(['tile 1 of 2', 'tile 2 of 2']);
    });

    await test.step('the other tile is closed', async () => {
      const own = await page.evaluate(() => {
        const { view } = (window as unknown as { marked: { view: Element } }).marked;
        return view.closest<HTMLElement>('[data-tile]')?.hasAttribute('data-focused') ?? false;
      });
      if (own) await act(page, hands, 'w n', '');
      await act(page, hands, 'w q', '');
      await expect(tiles(page)).toHaveCount(1);
      await expect.poll(() => marked(page)).toEqual(asBefore);
    });
  });

  test('a link with several tiles shows its rows without the mosaic, which then moves nothing', async ({
    page,
    context,
  }) => {
    await app().enter(context);
    const letLoad = await holdMosaic(page);
    const rest = 'c40-60(/clusters/1/deployments,/clusters/1/nodes)';
    await page.goto(`${app().url}/clusters/1/pods?_w=1r55-45(*,${rest})`);
    for (const one of [podsTile(page), tile(page, /^Deployments/), tile(page, /^Nodes/)])
      await expect(live(one)).toBeVisible();
    const boxes = () =>
      tiles(page).evaluateAll((elements) =>
        elements.map((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          return [left, top, width, height].map(Math.round);
        }),
      );
    const before = await boxes();
    expect(before).toHaveLength(3);
    await expect(page.getByRole('tab').first()).not.toHaveAttribute('draggable', 'true');
    letLoad();
    await expectDraggable(page.getByRole('tab').first());
    expect(await boxes()).toEqual(before);

    await test.step('the status lines of small tiles leave out what they have no room for, and cut nothing', async () => {
      const paths = ['deployments', 'nodes', 'jobs', 'events'].map((name) => `/clusters/1/${name}`);
      await page.goto(`${app().url}/clusters/1/pods?_w=1r20-20-20-20-20(*,${paths.join(',')})`);
      await expect(page.locator('[data-status-line]')).toHaveCount(5);
      await expect(live(podsTile(page))).toBeVisible();
      await expect(page.locator('[data-status-line] kbd').first()).toBeAttached();
      const cut = () =>
        page.locator('[data-status-line]').evaluateAll((lines) =>
          lines.flatMap((line) => {
            const { right, bottom } = line.getBoundingClientRect();
            return [...line.querySelectorAll('*')]
              .filter((element) => element.childElementCount === 0 && element.textContent !== '')
              .filter((element) => {
                const box = element.getBoundingClientRect();
                return box.width > 1 && box.top < bottom && box.right > right + 0.5;
              })
              .map(({ textContent }) => textContent);
          }),
        );
      await expect.poll(cut).toEqual([]);
    });
  });

  test('every place of a tile can be reached whichever side it is entered from, and Esc ends a resize', async ({
    page,
    context,
  }) => {
    await app().enter(context);
    await page.goto(`${app().url}/clusters/1/pods?_w=1r50-50(*,/clusters/1/deployments)`);
    const [pods, other] = [podsTile(page), tile(page, /^Deployments/)];
    await expect(live(pods)).toBeVisible();
    await expect(live(other)).toBeVisible();
    await expectDraggable(pods.getByRole('tab'));

    const url = page.url();
    const boundary = page.getByRole('separator');
    const at = await boundary.boundingBox();
    if (at === null) throw new Error('The boundary has no place.');
    await page.mouse.move(at.x + 4, at.y + 200);
    await page.mouse.down();
    await page.mouse.move(at.x + 154, at.y + 200, { steps: 5 });
    await expect(boundary).not.toHaveAttribute('aria-valuenow', '50');
    await page.keyboard.press('Escape');
    await expect(boundary).toHaveAttribute('aria-valuenow', '50');
    await page.mouse.move(at.x + 204, at.y + 200);
    await page.mouse.up();
    await expect(boundary).toHaveAttribute('aria-valuenow', '50');
    expect(page.url()).toBe(url);
    await page.mouse.move(at.x + 4, at.y + 200);
    await page.mouse.down();
    await page.mouse.move(at.x + 154, at.y + 200, { steps: 5 });
    await page.mouse.up();
    await expect(page).toHaveURL(/_w=1r6\d/);
    await expect(boundary).toBeFocused();
    await page.mouse.dblclick(at.x + 154, at.y + 200);
    await expect(boundary).toHaveAttribute('aria-valuenow', '50');
    await expect(page).toHaveURL(url);

    const bar = await pods.locator('[data-tile-bar]').boundingBox();
    const to = await other.boundingBox();
    if (bar === null || to === null) throw new Error('A tile has no place.');
    await page.mouse.move(bar.x + bar.width - 200, bar.y + 15);
    await page.mouse.down();
    // A pointer that rests goes on telling a browser where it is; this one must be moved.
    const over = (place: string, x: number, y: number) =>
      expect
        .poll(async () => {
          await page.mouse.move(x - 1, y);
          await page.mouse.move(x, y);
          return (await dropMark(page).getAttribute('class')) ?? '';
        })
        .toContain(place);
    // Over the left place, to the lower one.
    await over('left', to.x + 60, to.y + to.height / 2);
    await over('bottom', to.x + to.width * 0.4, to.y + to.height - 60);
    await page.mouse.up();
    await expect.poll(() => titles(page)).toEqual(['Deployments', 'Pods']);
    await expect(page).toHaveURL(/_w=1c50-50/);
  });
}
