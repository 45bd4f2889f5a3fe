import { bothHands, expectFocusShown, keyboard } from '../hands.ts';
import { type App, expect, test } from '../kit.ts';
import { focusedTile } from '../places.ts';
import {
  act,
  dropMark,
  expectDraggable,
  expectFocusInside,
  inSidebar,
  live,
  podsTile,
  titles,
  tile,
  tiles,
} from './tiles.ts';

/** Tabs and tiles that are moved and closed, by hand and by keys. @param app the product they are moved in */
export function moves(app: () => App): void {
  test('a tab is dragged among tabs, into another tile, and to an edge, and keeps its view', async ({
    page,
    context,
  }) => {
    await app().enter(context);
    await page.goto(`${app().url}/clusters/1/deployments`);
    await inSidebar(page, 'Pods').click();
    await inSidebar(page, 'Namespaces').click();
    const names = () => focusedTile(page).getByRole('tab').allInnerTexts();
    await expect.poll(names).toEqual(['Deployments', 'Pods', 'Namespaces']);
    await expectDraggable(page.getByRole('tab', { name: 'Pods' }));
    const drag = async (name: string, x: number, y: number) => {
      const from = await page.getByRole('tab', { name }).boundingBox();
      if (from === null) throw new Error('The tab has no place.');
      await page.mouse.move(from.x + 30, from.y + 12);
      await page.mouse.down();
      await page.mouse.move(from.x + 50, from.y + 14, { steps: 3 });
      await page.mouse.move(x, y, { steps: 4 });
      // The browser may hand over the last move of a drag only with the next one.
      await expect(async () => {
        await page.mouse.move(x + 1, y);
        await page.mouse.move(x, y);
        await expect(dropMark(page)).toBeVisible({ timeout: 500 });
      }).toPass({ timeout: 30_000 });
      await page.mouse.up();
      await expect(dropMark(page)).toBeHidden();
    };
    const leftmost = await page.getByRole('tab', { name: 'Deployments' }).boundingBox();
    await drag('Namespaces', (leftmost?.x ?? 0) + 10, (leftmost?.y ?? 0) + 12);
    await expect.poll(names).toEqual(['Namespaces', 'Deployments', 'Pods']);

    await page.getByRole('tab', { name: 'Pods' }).click();
    await expect(live(podsTile(page))).toBeVisible();
    const cursor = podsTile(page).locator('[role=row][aria-current=true]');
    // The pod, not its place: a pod whose status changes is sorted elsewhere.
    const podOfCursor = async () => (await cursor.getAttribute('aria-label'))?.split(',')[0];
    const first = await podOfCursor();
    await page.keyboard.press('j');
    await expect.poll(podOfCursor).not.toBe(first);
    const chosen = await podOfCursor();
    await drag('Pods', 1_400, 500);
    await expect.poll(() => titles(page)).toEqual(['Deployments', 'Pods']);
    await expect.poll(podOfCursor).toBe(chosen);
    await expectFocusInside(podsTile(page));
    await drag('Namespaces', 1_100, 500);
    await expect.poll(names).toEqual(['Pods', 'Namespaces']);
    await expect(page).toHaveURL(/\/namespaces\?_w=1r50-50\(\/clusters\/1\/deployments,\*\)$/);
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
      await expect(live(focusedTile(page))).toBeVisible();
      await page.keyboard.press('g');
      await page.keyboard.press('n');
      await expect(page.getByRole('tab')).toHaveText(['Deployments', 'Nodes']);
      if (hands.name === 'pointer') await expectDraggable(page.getByRole('tab', { name: 'Nodes' }));
      const mark = dropMark(page);

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
        await expect.poll(() => titles(page)).toEqual(['Deployments', 'Nodes']);
        await expectFocusInside(focusedTile(page));
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
          expect(await titles(page)).toEqual(['Deployments', 'Nodes']);
          expect(page.url()).toBe(url);
        });
      }

      await test.step('eight tiles are as many as fit', async () => {
        const row = 'c25-25-25-25(/clusters/1/pods,/clusters/1/nodes,/clusters/1/jobs,/clusters/1/events)';
        const first = row.replace('/clusters/1/pods', '*');
        await page.goto(`${app().url}/clusters/1/services?_w=1r50-50(${first},${row})`);
        await expect(tiles(page)).toHaveCount(8);
        await expect(live(focusedTile(page))).toBeVisible();
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
          await expectDraggable(tile(page, /^Deployments/).getByRole('tab', { name: 'Deployments' }));
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
        await expect(page.locator('[data-toast]')).toHaveText(/At most 8 tiles fit\. Close one first\./);
        await expect(tiles(page)).toHaveCount(8);
        expect(page.url()).toBe(url);
        await expectFocusInside(focusedTile(page));
      });
    });
  }

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
      await expectFocusInside(focusedTile(page));
      await expectFocusShown(page);
    }
  });
}
