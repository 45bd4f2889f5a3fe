import { expect } from 'playwright/test';
import { menuExemptions } from '../../e2e/axe.ts';
import {
  deployment,
  harbour,
  main,
  openPalette,
  selectTwo,
  type Shot,
  untilLive,
  untilRows,
  workspace,
} from '../shot.ts';

/** Tiles, the palette, menus and keys. */
export const workspaces: readonly Shot[] = [
  { name: 'workspace', path: workspace, isFull: true, ready: selectTwo },
  {
    name: 'split',
    path: `${main}/namespaces/shop/deployments/recommendations?view=yaml&_w=1r50-50(*,${main}/pods)`,
    ready: untilLive,
  },
  {
    name: 'four-tiles',
    path: `${main}/pods?_w=1r50-50(c50-50(*,${main}/namespaces/shop/deployments/checkout~3Fview=logs),c50-50(${harbour}/deployments,${main}/nodes))`,
    isFull: true,
    ready: untilRows,
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
    name: 'palette-object',
    path: deployment,
    ready: async (page) => {
      await untilLive(page);
      await openPalette(page);
      await page.keyboard.type('checkout');
      await expect(page.getByRole('option', { name: /^checkout/ }).first()).toBeVisible();
      await page.keyboard.press('ArrowRight');
      await expect(page.getByRole('option', { name: /^(Restart|Open)/ }).first()).toBeVisible();
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
      await expect(page.getByRole('region', { name: 'Keys that may follow' })).toBeVisible();
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
    name: 'menu-row',
    path: `${main}/pods`,
    exemptions: menuExemptions,
    ready: async (page) => {
      await untilRows(page);
      await page.locator('.tile.focused .tbl .r').nth(2).click({ button: 'right' });
      await expect(page.getByRole('menuitem').first()).toBeVisible();
    },
  },
  {
    name: 'menu-object',
    path: deployment,
    exemptions: menuExemptions,
    ready: async (page) => {
      await untilLive(page);
      await page.getByRole('button', { name: 'More actions', exact: true }).click();
      await expect(page.getByRole('menuitem').first()).toBeVisible();
    },
  },
  {
    name: 'menu-tabs',
    path: workspace,
    exemptions: menuExemptions,
    ready: async (page) => {
      await untilRows(page);
      await page.getByRole('button', { name: 'Tab and tile' }).first().click();
      await expect(page.getByRole('dialog', { name: 'Tabs' })).toBeVisible();
    },
  },
];
