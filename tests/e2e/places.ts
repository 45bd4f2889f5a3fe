import type { Locator, Page } from 'playwright/test';

/** The list of pods. */
export const podsOf = (page: Page): Locator => page.getByRole('grid', { name: 'Pods' });

/** The rows of pods, without the headings. */
export const podRows = (page: Page): Locator =>
  podsOf(page)
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

/** How fresh the list on screen is, as a screen reader hears it. */
export const statusLine = (page: Page): Locator =>
  page
    .getByRole('status')
    .filter({ hasText: /^(Live|Loading|Reconnecting|Stale|As of|No access|No data|Not served)/ });

/** The row of a pod by its name, or by the beginning of it. */
export const podRow = (page: Page, name: string): Locator => podRows(page).filter({ hasText: name });

/** The field that filters the list on screen. */
export const filterField = (page: Page): Locator => page.getByRole('textbox', { name: /^Filter / });
