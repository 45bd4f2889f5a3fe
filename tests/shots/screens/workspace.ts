import { expect, type Locator, type Page } from 'playwright/test';
import { menuExemptions } from '../../e2e/axe.ts';
import { focusedTile, plainCell } from '../../e2e/places.ts';
import {
  deployment,
  harbour,
  main,
  openPalette,
  searchPalette,
  selectTwo,
  type Shot,
  untilLine,
  untilLive,
  untilRows,
  workspace,
} from '../shot.ts';

interface Opening {
  readonly press: (page: Page) => Locator;
  readonly button?: 'right';
  readonly shows: (page: Page) => Locator;
}

/** A menu over a screen: something is pressed once the screen stands. */
const menu = (
  name: string,
  path: string,
  until: (page: Page) => Promise<void>,
  { press, button, shows }: Opening,
): Shot => ({
  name,
  path,
  exemptions: menuExemptions,
  ready: async (page) => {
    await until(page);
    await press(page).click({ button: button ?? 'left' });
    await expect(shows(page)).toBeVisible();
    await expect(page.getByText('Loading the actions', { exact: false })).toBeHidden();
  },
});

/** Tiles, the palette, menus and keys. */
export const workspaces: readonly Shot[] = [
  { name: 'workspace', path: workspace, isFull: true, ready: selectTwo },
  {
    name: 'split',
    path: `${main}/namespaces/shop/deployments/recommendations?view=yaml&_w=1r50-50(*,${main}/pods)`,
    ready: async (page) => {
      await expect(page.getByLabel('YAML of recommendations')).toContainText('kind: Deployment');
      const beside = page.locator('[data-tile]:not([data-focused])');
      // A narrow window has one tile.
      if (await beside.isVisible()) await expect(beside.locator('[data-row]').first()).toBeVisible();
    },
  },
  {
    name: 'four-tiles',
    path: `${main}/pods?_w=1r50-50(c50-50(*,${main}/namespaces/shop/deployments/checkout~3Fview=logs),c50-50(${harbour}/deployments,${main}/nodes))`,
    isFull: true,
    ready: async (page) => {
      await untilRows(page);
      // A narrow window shows one tile alone.
      if ((page.viewportSize()?.width ?? 0) > 1000)
        await expect(page.locator('[data-log-line]').first()).toBeVisible();
    },
  },
  {
    name: 'palette',
    path: workspace,
    isFull: true,
    ready: async (page) => {
      await selectTwo(page);
      await searchPalette(page, 'check', /^checkout/);
      // One of the clusters is away, and says so late.
      await expect(page.getByText('The console retries at', { exact: false })).toBeVisible();
      await expect(page.getByText('Searching…')).toBeHidden({ timeout: 30_000 });
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
      await searchPalette(page, '> scale', /^Scale/);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('combobox', { name: 'Replicas' })).toBeFocused();
      await page.keyboard.type('5');
      await expect(page.getByRole('option', { name: '5' })).toBeVisible();
      await expect(page.getByText('Asking the cluster', { exact: false })).toBeHidden();
    },
  },
  ...Object.entries({ commands: '>', kinds: ':', namespaces: '@', clusters: '#', help: '?' }).map(
    ([name, prefix]): Shot => ({
      name: `palette-${name}`,
      path: `${main}/pods`,
      ready: async (page) => {
        await untilRows(page);
        await openPalette(page);
        await page.keyboard.type(prefix);
        await untilLine(page, /./);
      },
    }),
  ),
  {
    name: 'palette-object',
    path: deployment,
    ready: async (page) => {
      await untilLive(page);
      await searchPalette(page, 'checkout', /^checkout/);
      await page.keyboard.press('ArrowRight');
      await untilLine(page, /^(Restart|Open)/);
    },
  },
  {
    name: 'palette-delete',
    path: workspace,
    ready: async (page) => {
      await selectTwo(page);
      await searchPalette(page, '> delete', /^Delete/);
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
    name: 'which-key',
    path: workspace,
    ready: async (page) => {
      await untilRows(page);
      await page.keyboard.press('g');
      await expect(page.getByRole('region', { name: 'Keys that may follow' })).toContainText('Deployments');
    },
  },
  menu('menu-cluster', workspace, untilRows, {
    press: (page) => page.getByRole('button', { name: /^Cluster:/ }),
    shows: (page) => page.getByRole('option').first(),
  }),
  {
    name: 'menu-columns',
    path: `${main}/pods`,
    exemptions: menuExemptions,
    ready: async (page) => {
      await untilRows(page);
      const button = page.getByRole('button', { name: 'Columns' });
      // A narrow window has two lines, and no columns.
      if (!(await button.isVisible())) return;
      await button.click();
      await expect(page.getByRole('menu', { name: 'Columns' })).toBeVisible();
    },
  },
  menu('menu-user', workspace, untilRows, {
    press: (page) => page.getByRole('button', { name: /account of/ }),
    shows: (page) => page.getByRole('menuitem', { name: 'Logout' }),
  }),
  menu('menu-row', `${main}/pods`, untilRows, {
    press: (page) => plainCell(focusedTile(page).locator('[data-row]').nth(2)),
    button: 'right',
    shows: (page) => page.getByRole('menuitem').first(),
  }),
  menu('menu-object', deployment, untilLive, {
    press: (page) => page.getByRole('button', { name: 'More actions', exact: true }),
    shows: (page) => page.getByRole('menuitem').first(),
  }),
  {
    name: 'tabs-many',
    path: `${harbour}/namespaces/shop/deployments/kettle-gone?_w=1r50-50(*,${main}/namespaces/shop/deployments/checkout~3Fview=edit)`,
    isFull: true,
    ready: async (page) => {
      await expect(page.getByRole('heading', { name: /^There is no Deployment/ })).toBeVisible();
      // The last of these tabs has no room for all of the others beside it.
      for (const key of ['p', 't', 'c', 'j', 's', 'n']) {
        await page.keyboard.press('g');
        await page.keyboard.press(key);
        await untilRows(page);
      }
    },
  },
  menu('menu-tabs', workspace, untilRows, {
    press: (page) => page.getByRole('button', { name: 'Tab and tile' }).first(),
    shows: (page) => page.getByRole('dialog', { name: 'Tabs' }),
  }),
];
