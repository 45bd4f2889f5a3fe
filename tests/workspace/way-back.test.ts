import { describe, expect, test } from 'vitest';
import { focusedTab, tilesOf } from '../../src/web/workspace/layout.ts';
import { TiledWorkspace } from '../../src/web/workspace/workspace.ts';
import { browser, registry, tabsOf } from './browser.ts';

describe('the way back', () => {
  const list = '/clusters/1/pods?q=api';
  const object = '/clusters/1/namespaces/shop/pods/api-1';

  test('leads from an object to where it was opened from, step by step, and no further', () => {
    const workspace = new TiledWorkspace({ registry, browser: browser(list).place });
    workspace.open(object);
    workspace.open(`${object}?view=yaml`);
    expect(workspace.leave()).toBe(true);
    expect(workspace.href()).toBe(object);
    expect(workspace.leave()).toBe(true);
    expect(workspace.href()).toBe(list);
    expect(workspace.leave()).toBe(false);
    expect(tabsOf(workspace)).toEqual([list, object]);
  });

  test('never goes round in a ring', () => {
    const workspace = new TiledWorkspace({ registry, browser: browser(list).place });
    workspace.open(object);
    workspace.open(`${object}?view=logs`);
    workspace.open(object);
    workspace.leave();
    expect(workspace.href()).toBe(list);
  });

  test('is the latest one: whence it was opened last', () => {
    const workspace = new TiledWorkspace({ registry, browser: browser(list).place });
    workspace.open(object);
    workspace.open('/clusters/1/deployments');
    workspace.open('/clusters/1/namespaces/shop/deployments/api');
    workspace.open(object);
    workspace.leave();
    expect(workspace.href()).toBe('/clusters/1/namespaces/shop/deployments/api');
  });

  test.each([
    [object, '/clusters/1/pods'],
    [`${object}?view=logs`, object],
    ['/clusters/1/pods?ns=shop&q=api&view=logs', '/clusters/1/pods?ns=shop&q=api'],
    ['/clusters/1/nodes/worker-1', '/clusters/1/nodes'],
    ['/clusters/1/namespaces/shop', '/clusters/1/namespaces'],
    ['/clusters/1/hpas/shop/api', '/clusters/1/hpas'],
    ['/clusters/1/namespaces/shop/objects/batch/jobs/daily', '/clusters/1/jobs'],
    ['/clusters/1/namespaces/shop/crds/boats.example.org/one', '/clusters/1/crds/boats.example.org'],
    ['/clusters/1/namespaces/shop/releases/web/history', '/clusters/1/helm/releases'],
    ['/clusters/1/namespaces/shop/releases/web', '/clusters/1/helm/releases'],
    ['/settings/teams/3', '/settings/teams'],
    ['/settings/organization/members/4', '/settings/organization/members'],
  ])('of the page of an address, %s, leads to the page that it belongs to', (address, parent) => {
    const workspace = new TiledWorkspace({ registry, browser: browser(address).place });
    expect([workspace.leave(), workspace.href()]).toEqual([true, parent]);
  });

  test.each([
    '/',
    '/clusters',
    '/clusters/1',
    '/clusters/1/pods',
    '/settings',
    '/clusters/1/crds/boats.example.org',
  ])('there is none from %s', (address) => {
    const workspace = new TiledWorkspace({ registry, browser: browser(address).place });
    expect([workspace.leave(), workspace.href()]).toEqual([false, address]);
  });

  test('a list opened from a list is a change of place', () => {
    const workspace = new TiledWorkspace({ registry, browser: browser(list).place });
    workspace.open('/clusters/1/deployments');
    expect(workspace.leave()).toBe(false);
  });

  test('leads to the tile it was opened from', () => {
    const workspace = new TiledWorkspace({ registry, browser: browser(list).place });
    const { focused } = workspace.state.get().layout;
    workspace.open(object, 'split-right');
    workspace.leave();
    expect(workspace.state.get().layout.focused).toBe(focused);
    expect(tilesOf(workspace.state.get().layout)).toHaveLength(2);
  });

  test('opens a tab anew that was closed meanwhile, and minds what it was after a reload', () => {
    const at = browser(list);
    const first = new TiledWorkspace({ registry, browser: at.place });
    const tab = focusedTab(first.state.get().layout).id;
    first.open(object);
    first.closeTab(tab);
    expect(tabsOf(first)).toEqual([object]);
    const again = new TiledWorkspace({ registry, browser: browser(object, at.stored()).place });
    again.leave();
    expect(again.href()).toBe(list);
  });

  test('minds the filter a list has by now', () => {
    const workspace = new TiledWorkspace({ registry, browser: browser(list).place });
    const tab = focusedTab(workspace.state.get().layout).id;
    workspace.open(object);
    workspace.setHref(tab, '/clusters/1/pods?q=other', 'replace');
    workspace.leave();
    expect(workspace.href()).toBe('/clusters/1/pods?q=other');
  });

  test('leads through the views of the object in its tab, and after a reload as well', () => {
    const at = browser(list);
    const workspace = new TiledWorkspace({ registry, browser: at.place });
    workspace.open(object);
    workspace.open(`${object}?view=yaml`);
    workspace.open(`${object}?view=logs`);
    workspace.open(`${object}?view=yaml`);
    const again = new TiledWorkspace({
      registry,
      browser: browser(`${object}?view=yaml`, at.stored()).place,
    });
    for (const one of [workspace, again]) {
      expect(tabsOf(one)).toEqual([list, `${object}?view=yaml`]);
      expect([one.leave(), one.href()]).toEqual([true, object]);
      expect([one.leave(), one.href()]).toEqual([true, list]);
    }
  });

  test('does not lead into a view that gave its place to another', () => {
    for (const before of [object, `${object}?view=yaml`]) {
      const workspace = new TiledWorkspace({ registry, browser: browser(list).place });
      workspace.open(object);
      workspace.open(before);
      workspace.open(`${object}?view=edit`);
      const tab = focusedTab(workspace.state.get().layout).id;
      workspace.setHref(tab, `${object}?view=yaml`, 'replace');
      expect([workspace.leave(), workspace.href()]).toEqual([true, object]);
      expect([workspace.leave(), workspace.href()]).toEqual([true, list]);
    }
  });

  test('of a duplicate leads through its own views', () => {
    const workspace = new TiledWorkspace({ registry, browser: browser(list).place });
    workspace.open(object);
    workspace.open(`${object}?view=logs`);
    workspace.duplicateTab();
    workspace.leave();
    expect(tabsOf(workspace)).toEqual([list, `${object}?view=logs`, object]);
  });
});
