import type { Locator, Page } from 'playwright/test';

/** The tile that has the keys. */
export const focusedTile = (page: Page): Locator => page.locator('[data-tile][data-focused]');

/** The list of pods. */
export const podsOf = (page: Page): Locator => page.getByRole('grid', { name: 'Pods' });

/** The rows of pods, without the headings. */
export const podRows = (page: Page): Locator =>
  podsOf(page)
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

/** How fresh the list on screen is, as a screen reader hears it. */
export const statusLine = (page: Page): Locator =>
  page.getByRole('status').filter({
    hasText:
      /^(Live|Loading|Reading|Not complete|Reconnecting|Stale|Silent|Read every|As of|No access|No data|Unreachable|Not served)/,
  });

/** The row of a pod by its name, or by the beginning of it. */
export const podRow = (page: Page, name: string): Locator => podRows(page).filter({ hasText: name });

/** The field that filters the list on screen. */
export const filterField = (page: Page): Locator => page.getByRole('combobox', { name: /^Filter / });

/** A list by its title. */
export const gridOf = (page: Page, title: string): Locator =>
  page.getByRole('grid', { name: title, exact: true });

/** The rows of a list, without the headings. */
export const rowsOf = (page: Page, title: string): Locator =>
  gridOf(page, title)
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

/** The row of an object in a list. */
export const rowOf = (page: Page, title: string, name: string): Locator =>
  rowsOf(page, title).filter({ has: page.getByRole('gridcell', { name, exact: true }) });

/** The name of a row's object, which opens it. */
export const nameLink = (row: Locator, name: string): Locator => row.getByRole('link', { name, exact: true });

/** A part of a row that is no link, in one line and in two: its last cell before the button of its menu. */
export const plainCell = (row: Locator): Locator => row.getByRole('gridcell').nth(-2);

/** A section of a detail, or a card of a dashboard, by the beginning of its heading. */
export const sectionOf = (page: Page, title: string): Locator =>
  page.getByRole('main').getByRole('region', { name: new RegExp(`^${title}`) });

/** A dialog on screen, also one that warns. */
export const dialogOf = (page: Page, title: string | RegExp): Locator =>
  page.getByRole('dialog', { name: title }).or(page.getByRole('alertdialog', { name: title }));

/** What a toast says. */
export const toastOf = (page: Page, text: string | RegExp): Locator =>
  page.locator('[data-toast]').filter({ hasText: text });

/** The heading of the object, or of the state, that a detail shows. */
export const headingOf = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true });
