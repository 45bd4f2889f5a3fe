import type { Page } from 'playwright/test';
import { sharedCluster } from './cluster.ts';
import { expect, ownClusters, sharedApp, test } from './kit.ts';
import { dialogOf, filterField, gridOf } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

/** Notes the role of everything that gets the focus from here on; answers how to read and begin anew. */
async function noteFocus(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const roles: string[] = [];
    Object.assign(window, { roles });
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element) roles.push(target.getAttribute('role') ?? target.localName);
    });
  });
  return () => page.evaluate(() => (window as unknown as { roles: string[] }).roles.splice(0));
}

/** From here on timers of no time fire late, as on a busy machine; answers how to wait until one did. */
async function delayTimers(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(() => {
    const later = window.setTimeout.bind(window);
    const counted = window as unknown as { lateTimers: number };
    counted.lateTimers = 0;
    const slow = (run: () => void, ms = 0) =>
      ms > 0
        ? later(run, ms)
        : later(() => {
            run();
            counted.lateTimers += 1;
          }, 1_000);
    window.setTimeout = slow as unknown as typeof setTimeout;
  });
  return () => page.waitForFunction(() => (window as unknown as { lateTimers: number }).lateTimers > 0);
}

test('an overlay that closes gives the focus back to the rows, and to nothing in between', async ({
  page,
  withoutMouse,
}) => {
  await withoutMouse();
  await app().enter(page.context());
  await page.goto(harbour().url('/deployments'));
  const grid = gridOf(page, 'Deployments');
  await expect(grid.getByRole('row').nth(1)).toBeVisible();
  await grid.focus();
  await page.keyboard.press('Home');
  const focused = await noteFocus(page);

  await test.step('the palette', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    const palette = dialogOf(page, 'Command palette');
    await expect(palette.getByRole('combobox')).toBeFocused();
    await focused();
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
    await expect(grid).toBeFocused();
    expect(await focused()).toEqual(['grid']);
  });

  await test.step('a dialog', async () => {
    await page.keyboard.press('Shift+D');
    const confirm = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await focused();
    await page.keyboard.press('Escape');
    await expect(confirm).toBeHidden();
    await expect(grid).toBeFocused();
    expect(await focused()).toEqual(['grid']);
  });

  await test.step('a menu', async () => {
    const opener = page.getByRole('banner').getByRole('button', { name: /account of/ });
    const menu = page.getByRole('menu');
    // The first time its code is loaded, and its button replaced by another.
    for (const time of ['first', 'second']) {
      await opener.focus();
      await page.keyboard.press('Enter');
      await expect(menu).toBeVisible();
      // The menu moves its focus in a timer: wait for where it ends.
      await page.keyboard.press('End');
      await expect(menu.getByRole('menuitem').last()).toBeFocused();
      await focused();
      await page.keyboard.press('Escape');
      await expect(menu).toBeHidden();
      await expect(opener).toBeFocused();
      if (time === 'second') expect(await focused()).toEqual(['button']);
    }
  });

  await test.step('what the next key gave the focus to keeps it, however late the library gives it back', async () => {
    await grid.focus();
    await page.keyboard.press('Shift+D');
    const confirm = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused();
    const wait = await delayTimers(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await expect(filterField(page)).toBeFocused();
    await wait();
    await expect(filterField(page)).toBeFocused();
    await page.keyboard.press('Escape');
  });

  await test.step('rows that take the place of those that had it', async () => {
    await grid.focus();
    // As when the list is drawn anew: the old rows go and the new ones come at once.
    await grid.evaluate((element) => element.replaceWith(element.cloneNode(true)));
    await expect(grid).toBeFocused();
  });
});
