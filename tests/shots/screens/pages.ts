import { expect, type Page } from 'playwright/test';
import { main, type Shot, untilHeading, untilLive } from '../shot.ts';

/** Pages that are no list and no object. */
export const pages: readonly Shot[] = [
  {
    name: 'login',
    path: '/login',
    person: 'nobody',
    ready: async (page) => {
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    },
  },
  { name: 'home', path: '/', ready: untilHeading(/./) },
  {
    name: 'dashboard',
    path: main,
    isFull: true,
    ready: async (page) => {
      await expect(page.getByRole('region', { name: /^Capacity/ })).toBeVisible();
      await untilLive(page);
    },
  },
  { name: 'clusters', path: '/clusters', isFull: true, ready: untilHeading(/./) },
  {
    name: 'clusters-add',
    path: '/clusters',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add clusters' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  { name: 'settings', path: '/settings', isFull: true, ready: untilHeading(/./) },
  { name: 'settings-keys', path: '/settings?at=keys', ready: untilHeading(/./) },
  { name: 'no-such-page', path: '/no/such/place', ready: untilHeading(/./) },
  { name: 'toast-test', path: '/tests/toast-test', person: 'nobody', ready: showToasts },
  {
    name: 'action-button-test',
    path: '/tests/action-button-test',
    person: 'nobody',
    ready: untilHeading('Action button'),
  },
];

async function showToasts(page: Page): Promise<void> {
  await untilHeading('Toasts')(page);
  for (const type of ['Success', 'Warning', 'Error']) {
    await page.getByRole('button', { name: type, exact: true }).click();
    await page.getByRole('button', { name: 'Add without end', exact: true }).click();
  }
  await expect(page.locator('[data-toast]').nth(2)).toBeVisible();
}
