import { expect, type Locator, type Page } from 'playwright/test';
import type { Exemption } from '../e2e/axe.ts';
import { focusedTile } from '../e2e/places.ts';

/** What a state can be made with, beside the page. */
export interface World {
  /** Ends every connection to `harbour`; it is open again for the next picture. */
  readonly shutHarbour: () => Promise<void>;
  /** Has `harbour` take connections and answer nothing until the next picture. */
  readonly freezeHarbour: () => void;
  /** Has the Owner's changes held for 5 s until the next picture, where they are asked first otherwise. */
  readonly holdChanges: () => Promise<void>;
}

/** One screen or state to look at. */
export interface Shot {
  /** File name without look and ending: the name of the picture. */
  readonly name: string;
  /** Where it is, relative to the product. */
  readonly path: string;
  /** Who looks: the Owner unless it says so; a Viewer sees `main` only. */
  readonly person?: 'nobody' | 'viewer';
  /** Shows much at once: looked at in windows of every width, and zoomed. */
  readonly isFull?: true;
  /** Rules of axe that do not fit it. */
  readonly exemptions?: readonly Exemption[];
  /** What leads from the address to the state, and waits until it stands. */
  readonly ready: (page: Page, world: World) => Promise<void>;
}

/** The playground, protected. */
export const main = '/clusters/1';
/** A cluster that cannot be reached; its id is known once it is there. */
export const away = '/clusters/AWAY';
/** A cluster that nobody protects, with objects that are named as unkindly as can be. */
export const harbour = '/clusters/HARBOUR';
/** The same cluster, by a credential that may list but not watch. */
export const unwatched = '/clusters/UNWATCHED';
/** A team with people and clusters, and one of its people. */
export const team = '/settings/teams/TEAM';
export const member = '/settings/organization/members/MEMBER';
export const deployment = `${main}/namespaces/shop/deployments/recommendations`;

/** The search parameter of other tiles right of the one that a path leads to. */
export const beside = (...paths: readonly string[]): string =>
  `?_w=1r65-35(*,${paths.map((path) => encodeURIComponent(path).replaceAll('%2F', '/').replaceAll('%', '~')).join(',')})`;
export const workspace = `${main}/pods${beside(deployment)}`;

const live = (page: Page): Locator => focusedTile(page).getByRole('status').filter({ hasText: /^Live/ });

/** The heading of the page. */
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });

/**
 * Waits until what is shown follows the cluster, and every command is there: keys that work are told then. A cluster that
 * was away a moment ago is asked again only after a while.
 */
export async function untilLive(page: Page): Promise<void> {
  await expect(live(page)).toBeVisible({ timeout: 45_000 });
  await expect(focusedTile(page).locator('[data-status-line] kbd').first()).toBeAttached();
}

/** Waits for rows besides. */
export async function untilRows(page: Page): Promise<void> {
  await untilLive(page);
  await expect(focusedTile(page).locator('[data-row]').first()).toBeVisible();
}

/** Waits for a heading of the page. */
export const untilHeading =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await expect(heading(page, name).first()).toBeVisible();
  };

/** Selects the two worst rows with the keys, as somebody does before asking for an action. */
export async function selectTwo(page: Page): Promise<void> {
  await untilRows(page);
  await focusedTile(page).getByRole('grid').focus();
  for (const key of ['j', 'Space', 'j', 'Space']) await page.keyboard.press(key);
  await expect(page.getByText('2 selected').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Clear the selection' })).toBeVisible();
}

/** Opens the palette and waits until it can be typed into. */
export async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
}

/** Opens the palette, types, and waits for a line that answers. */
export async function searchPalette(page: Page, text: string, line: RegExp): Promise<void> {
  await openPalette(page);
  await page.keyboard.type(text);
  await untilLine(page, line);
}

/** Waits for a line of the palette. */
export async function untilLine(page: Page, line: RegExp): Promise<void> {
  await expect(page.getByRole('option', { name: line }).first()).toBeVisible();
}

/** Waits for the details of an object, then chooses from its menu of actions. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await untilLive(page);
  await focusedTile(page).getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible();
}
