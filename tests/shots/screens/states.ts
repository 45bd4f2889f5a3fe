import { expect, type Page } from 'playwright/test';
import { filterField } from '../../e2e/places.ts';
import { away, deployment, harbour, main, type Shot, untilLive, untilRows, unwatched } from '../shot.ts';

const untilSaid = (page: Page, text: RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text }).first()).toBeVisible({ timeout: 30_000 });

/** Waits for the sidebar's counts, so that a cluster that goes away always leaves the same ones. */
async function untilCounted(page: Page): Promise<void> {
  await untilRows(page);
  // A narrow window shows no sidebar.
  if ((page.viewportSize()?.width ?? 0) < 768) return;
  await expect(page.locator('nav a[href$="/nodes"]')).toHaveText(/\d/, { timeout: 30_000 });
}

/** What is said where there is nothing to show, or nothing new. */
export const states: readonly Shot[] = [
  {
    name: 'state-no-match',
    path: `${main}/pods?q=chekout`,
    ready: async (page) => {
      await expect(page.getByText(/No pod matches|matches/).first()).toBeVisible();
    },
  },
  {
    name: 'filter-terms',
    path: `${harbour}/pods?filter=restarts%3E%3D0+-ns%3Akube-system|data+age%3C10+status!%3DCompleted`,
    ready: async (page) => {
      await expect(page.getByRole('button', { name: 'Remove restarts>=0' })).toBeVisible();
      await untilSaid(page, /is not a time with its unit/);
    },
  },
  {
    name: 'filter-completion',
    path: `${harbour}/pods`,
    ready: async (page) => {
      await untilRows(page);
      await filterField(page).pressSequentially('-test ns:');
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
    },
  },
  {
    name: 'filter-help',
    path: `${harbour}/pods`,
    ready: async (page) => {
      await untilRows(page);
      await filterField(page).pressSequentially('?');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  { name: 'state-empty', path: `${main}/services?ns=kube-public`, ready: untilLive },
  {
    name: 'state-missing',
    path: `${main}/namespaces/shop/deployments/legacy-api`,
    ready: async (page) => {
      await expect(page.getByText(/legacy-api/).nth(1)).toBeVisible();
    },
  },
  {
    name: 'state-forbidden',
    path: `${main}/secrets`,
    person: 'viewer',
    ready: async (page) => {
      await expect(page.getByRole('heading', { name: /^You cannot view secrets/ })).toBeVisible();
    },
  },
  { name: 'state-viewer', path: deployment, person: 'viewer', ready: untilLive },
  {
    name: 'state-unknown-kind',
    path: `${main}/crds/flotsam.example.org`,
    ready: async (page) => {
      await expect(page.getByText('does not serve flotsam').first()).toBeVisible();
    },
  },
  {
    name: 'state-unreachable',
    path: `${away}/pods`,
    ready: async (page) => {
      await expect(page.getByRole('button', { name: 'Retry', exact: true }).first()).toBeVisible();
    },
  },
  {
    name: 'state-unreachable-dashboard',
    path: away,
    ready: async (page) => {
      await expect(page.getByRole('button', { name: 'Retry', exact: true }).first()).toBeVisible();
    },
  },
  {
    name: 'state-reconnecting',
    path: `${harbour}/pods`,
    ready: async (page, { shutHarbour }) => {
      await untilCounted(page);
      await shutHarbour();
      await untilSaid(page, /^Reconnecting/);
    },
  },
  {
    name: 'state-polled',
    path: `${unwatched}/pods`,
    ready: (page) => untilSaid(page, /^Read every 30 s/),
  },
  {
    name: 'state-silent',
    path: `${harbour}/pods`,
    ready: async (page, { freezeHarbour }) => {
      await untilCounted(page);
      freezeHarbour();
      await untilSaid(page, /^Unreachable since/);
    },
  },
  {
    name: 'state-stale',
    path: `${harbour}/pods`,
    ready: async (page, { shutHarbour }) => {
      await untilCounted(page);
      await shutHarbour();
      await untilSaid(page, /^Stale since/);
    },
  },
  {
    name: 'state-stale-detail',
    path: `${harbour}/namespaces/shop/deployments/checkout`,
    ready: async (page, { shutHarbour }) => {
      await untilLive(page);
      await shutHarbour();
      await untilSaid(page, /^Stale since/);
    },
  },
];
