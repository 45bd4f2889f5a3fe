import type { Locator, Page } from 'playwright/test';
import type { Hands } from '../hands.ts';
import { expect } from '../kit.ts';
import { focusedTile } from '../places.ts';

/** The tiles that show. */
export const tiles = (page: Page): Locator => page.locator('main [data-tile]:visible');
/** The tile of this name. */
export const tile = (page: Page, name: RegExp): Locator => page.getByRole('region', { name });
/** The tile that shows pods. */
export const podsTile = (page: Page): Locator => tile(page, /^Pods in /);
/** Where what is dragged would go: a place of Mosaic's, or one among tabs. */
export const dropMark = (page: Page): Locator =>
  page.locator('.drop-target.drop-target-hover, [data-drop-mark]').first();
/** Points at a tab and waits until it can be dragged: what drags it is loaded once the pointer is on a tile's bar. */
export const expectDraggable = async (tab: Locator): Promise<void> => {
  await tab.hover();
  await expect(tab).toHaveAttribute('draggable', 'true');
};
/** An entry of the sidebar. */
export const inSidebar = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: new RegExp(`^${name}`) });
/** Rows of a list, without its head. */
export const rowsOf = (within: Locator): Locator =>
  within.getByRole('row').filter({ has: within.page().getByRole('gridcell') });
/** Whether a tile has the focus. */
export const isFocused = (of: Locator): Promise<boolean> =>
  of.evaluate((element) => element.hasAttribute('data-focused'));
/** What says that a tile is fresh. */
export const live = (of: Locator): Locator => of.getByRole('status').filter({ hasText: /^Live/ });

/** Does something with the focused tile: by its keys, or in the menu behind its tabs. */
export async function act(page: Page, hands: Hands, keys: string, title: string): Promise<void> {
  if (hands.name === 'keyboard') for (const key of keys.split(' ')) await page.keyboard.press(key);
  else
    await hands.pick(focusedTile(page).getByRole('button', { name: /^All \d+ tabs|^Tab and tile$/ }), title);
}

/** Where the tiles stand: names from left to right, then from top to bottom. */
export async function titles(page: Page): Promise<readonly string[]> {
  const found = await tiles(page).evaluateAll((elements) =>
    elements.map((element) => {
      const { left, top } = element.getBoundingClientRect();
      return { left, top, name: element.getAttribute('aria-label')?.split(/,? (?:in|tile) /)[0] ?? '' };
    }),
  );
  return found.sort((a, b) => a.left - b.left || a.top - b.top).map(({ name }) => name);
}

/** A pod of a Deployment: the hash of its template, and five letters of its own. */
const podName = /^[a-z][a-z0-9-]*-[a-z0-9]{8,10}-\s*[a-z0-9]{5}$/;

/** The names of the pods in a tile, in their order. */
export const podNames = async (of: Locator): Promise<readonly string[]> =>
  (await rowsOf(of).getByRole('gridcell').filter({ hasText: podName }).allInnerTexts())
    .map((text) => text.replaceAll(/\s/g, ''))
    .sort();

/** Waits until the keyboard is inside of something. */
export async function expectFocusInside(of: Locator): Promise<void> {
  await expect.poll(() => of.evaluate((element) => element.contains(document.activeElement))).toBe(true);
}
