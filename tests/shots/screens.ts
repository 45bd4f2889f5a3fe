import { expect, type Locator, type Page } from 'playwright/test';
import { alertExemptions, type Exemption, menuExemptions } from '../e2e/axe.ts';

/** One screen or state to look at. */
export interface Shot {
  /** File name without look and ending: the name of the picture. */
  readonly name: string;
  /** Where it is, relative to the product. */
  readonly path: string;
  /** Without it the Owner is signed in. */
  readonly signedOut?: true;
  /** Shows much at once: looked at in windows of every width, and zoomed. */
  readonly isFull?: true;
  /** Rules of axe that do not fit it. */
  readonly exemptions?: readonly Exemption[];
  /** What leads from the address to the state, and waits until it stands. */
  readonly ready: (page: Page) => Promise<void>;
}

/** The playground, protected. */
const main = '/clusters/1';
/** A cluster that cannot be reached; its id is known once it is there. */
export const away = '/clusters/AWAY';
const deployment = `${main}/namespaces/shop/deployments/recommendations`;
const beside = (...paths: readonly string[]): string =>
  `?_w=1r65-35(*,${paths.map((path) => encodeURIComponent(path).replaceAll('%2F', '/').replaceAll('%', '~')).join(',')})`;

const live = (page: Page): Locator =>
  page.locator('.tile.focused').getByRole('status').filter({ hasText: /^Live/ });
const rows = (page: Page): Locator => page.locator('.tile.focused .tbl .r');
const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name });

async function untilLive(page: Page): Promise<void> {
  await expect(live(page)).toBeVisible();
}

async function untilRows(page: Page): Promise<void> {
  await untilLive(page);
  await expect(rows(page).nth(3)).toBeVisible();
}

/** Selects the two worst rows with the keys, as somebody does before asking for an action. */
async function selectTwo(page: Page): Promise<void> {
  await untilRows(page);
  await page.locator('.tile.focused').getByRole('grid').focus();
  for (const key of ['j', 'Space', 'j', 'Space']) await page.keyboard.press(key);
  await expect(page.getByText('2 selected').first()).toBeVisible();
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
}

const heard = (name: string | RegExp) => async (page: Page) => {
  await expect(heading(page, name).first()).toBeVisible();
};
const workspace = `${main}/pods${beside(deployment)}`;

/** Every screen and state that is looked at, in this order. */
export const screens: readonly Shot[] = [
  {
    name: 'login',
    path: '/login',
    signedOut: true,
    ready: async (page) => {
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    },
  },
  { name: 'workspace', path: workspace, isFull: true, ready: selectTwo },
  { name: 'home', path: '/', ready: heard(/./) },
  {
    name: 'split',
    path: `${main}/namespaces/shop/deployments/recommendations?view=yaml&_w=1r50-50(*,${main}/pods)`,
    ready: untilLive,
  },
  {
    name: 'palette',
    path: workspace,
    isFull: true,
    ready: async (page) => {
      await selectTwo(page);
      await openPalette(page);
      await page.keyboard.type('check');
      await expect(page.getByRole('option', { name: /^checkout/ }).first()).toBeVisible();
    },
  },
  {
    name: 'palette-recents',
    path: workspace,
    ready: async (page) => {
      await untilRows(page);
      await openPalette(page);
    },
  },
  {
    name: 'palette-args',
    path: deployment,
    ready: async (page) => {
      await untilLive(page);
      await openPalette(page);
      await page.keyboard.type('> scale');
      await expect(page.getByRole('option', { name: /^Scale/ }).first()).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('combobox', { name: 'Replicas' })).toBeFocused();
      await page.keyboard.type('5');
      await expect(page.getByRole('option', { name: '5' })).toBeVisible();
    },
  },
  {
    name: 'palette-nothing',
    path: `${main}/pods`,
    ready: async (page) => {
      await untilRows(page);
      await openPalette(page);
      await page.keyboard.type('zzzzqqq');
      await expect(page.getByText('Nothing matches.', { exact: false })).toBeVisible();
    },
  },
  {
    name: 'key-sheet',
    path: `${main}/pods`,
    ready: async (page) => {
      await untilRows(page);
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'dashboard',
    path: main,
    isFull: true,
    ready: async (page) => {
      await expect(page.getByRole('region', { name: /^Capacity/ })).toBeVisible();
      await untilLive(page);
    },
  },
  {
    name: 'menu-cluster',
    path: workspace,
    exemptions: menuExemptions,
    ready: async (page) => {
      await untilRows(page);
      await page.getByRole('button', { name: /^Cluster:/ }).click();
      await expect(page.getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'menu-user',
    path: workspace,
    exemptions: menuExemptions,
    ready: async (page) => {
      await untilRows(page);
      await page.getByRole('button', { name: /account of/ }).click();
      await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
    },
  },
  {
    name: 'confirm',
    path: workspace,
    isFull: true,
    exemptions: alertExemptions,
    ready: async (page) => {
      await selectTwo(page);
      await openPalette(page);
      await page.keyboard.type('> delete');
      await expect(page.getByRole('option', { name: /^Delete/ }).first()).toBeVisible();
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: /^Delete after it/ }).waitFor();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alertdialog').getByRole('textbox')).toBeVisible();
      await page.getByRole('alertdialog').getByRole('textbox').fill('play');
    },
  },
  {
    name: 'which-key',
    path: workspace,
    ready: async (page) => {
      await untilRows(page);
      await page.keyboard.press('g');
      await expect(page.getByRole('region', { name: 'Keys that may follow' })).toBeVisible();
    },
  },
  { name: 'toast-test', path: '/tests/toast-test', signedOut: true, ready: showToasts },
  {
    name: 'action-button-test',
    path: '/tests/action-button-test',
    signedOut: true,
    ready: heard('Action button'),
  },
  { name: 'settings', path: '/settings', isFull: true, ready: heard(/./) },
  { name: 'settings-keys', path: '/settings?at=keys', ready: heard(/./) },
  { name: 'clusters', path: '/clusters', isFull: true, ready: heard(/./) },
  { name: 'deployments', path: `${main}/deployments`, ready: untilRows },
  { name: 'nodes', path: `${main}/nodes`, ready: untilLive },
  { name: 'events', path: `${main}/events`, ready: untilRows },
  { name: 'deployment', path: deployment, isFull: true, ready: untilLive },
  {
    name: 'state-no-match',
    path: `${main}/pods?q=chekout`,
    ready: async (page) => {
      await expect(page.getByText(/No pod matches|matches/).first()).toBeVisible();
    },
  },
  {
    name: 'state-empty',
    path: `${main}/services?ns=kube-public`,
    ready: untilLive,
  },
  {
    name: 'state-missing',
    path: `${main}/namespaces/shop/deployments/legacy-api`,
    ready: async (page) => {
      await expect(page.getByText(/legacy-api/).nth(1)).toBeVisible();
    },
  },
  {
    name: 'state-unreachable',
    path: `${away}/pods`,
    ready: async (page) => {
      await expect(page.getByRole('button', { name: 'Retry' }).first()).toBeVisible();
    },
  },
  { name: 'no-such-page', path: '/no/such/place', ready: heard(/./) },
];

async function showToasts(page: Page): Promise<void> {
  await heard('Toasts')(page);
  for (const type of ['Success', 'Warning', 'Error']) {
    await page.getByRole('button', { name: type, exact: true }).click();
    await page.getByRole('button', { name: 'Add without end', exact: true }).click();
  }
  await expect(page.locator('[data-toast]').nth(2)).toBeVisible();
}
