import type { Page } from 'playwright/test';
import { sharedCluster } from './cluster.ts';
import { expect, ownClusters, sharedApp, test } from './kit.ts';
import { dialogOf, gridOf } from './places.ts';

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
    await expect(confirm.getByRole('button', { name: 'Delete', exact: true })).toBeFocused();
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
      await page.keyboard.press('ArrowDown');
      await expect(menu.locator(':focus')).toHaveRole('menuitem');
      await focused();
      await page.keyboard.press('Escape');
      await expect(menu).toBeHidden();
      await expect(opener).toBeFocused();
      if (time === 'second') expect(await focused()).toEqual(['button']);
    }
  });
});
