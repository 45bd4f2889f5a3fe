import { describe, expect, test } from 'vitest';
import { focusedTab } from '../../src/web/workspace/layout.ts';
import { onCluster } from '../../src/web/workspace/place.ts';
import { TiledWorkspace } from '../../src/web/workspace/workspace.ts';
import { browser, registry, tabsOf } from './browser.ts';

describe('the workspace', () => {
  test('the address is always the focused tab’s', () => {
    const { place, entries } = browser('/clusters/1/pods');
    const workspace = new TiledWorkspace({ registry, browser: place });
    workspace.open('/clusters/1/namespaces');
    workspace.stepTab(-1);
    expect(entries).toEqual(['/clusters/1/pods', '/clusters/1/namespaces', '/clusters/1/pods']);
  });

  test('going back shows the tab again, also a closed one', () => {
    const { place, entries, back } = browser('/clusters/1/pods');
    const workspace = new TiledWorkspace({ registry, browser: place });
    workspace.open('/clusters');
    workspace.closeTab();
    expect(entries.at(-1)).toBe('/clusters/1/pods');
    back();
    expect(workspace.href()).toBe('/clusters');
    expect(tabsOf(workspace)).toEqual(['/clusters/1/pods', '/clusters']);
  });

  test('a search changed in place replaces the entry', () => {
    const { place, entries } = browser('/clusters/1/pods');
    const workspace = new TiledWorkspace({ registry, browser: place });
    const tab = focusedTab(workspace.state.get().layout).id;
    workspace.setHref(tab, '/clusters/1/pods?q=a', 'replace');
    expect(entries).toEqual(['/clusters/1/pods?q=a']);
  });

  test('the selected cluster stays while a place without one is shown', () => {
    const { place } = browser('/clusters/7/pods');
    const workspace = new TiledWorkspace({ registry, browser: place });
    workspace.open('/clusters');
    expect(workspace.state.get().clusterId).toBe(7);
    workspace.open('/clusters/8');
    expect(workspace.state.get().clusterId).toBe(8);
  });

  test('changing the cluster clears namespace and tabs and keeps the route', () => {
    const { place } = browser('/clusters/1');
    const workspace = new TiledWorkspace({ registry, browser: place });
    workspace.open('/clusters/1/pods?ns=shop&q=x');
    workspace.switchCluster(2);
    expect(tabsOf(workspace)).toEqual(['/clusters/2/pods']);
    expect(workspace.state.get().clusterId).toBe(2);
  });

  test('choosing the cluster that shows keeps its tabs; from a place without one it opens the cluster', () => {
    const { place } = browser('/clusters/1/deployments');
    const workspace = new TiledWorkspace({ registry, browser: place });
    workspace.open('/clusters/1/pods?ns=shop&q=x', 'new-tab');
    const before = tabsOf(workspace);
    workspace.switchCluster(1);
    expect(tabsOf(workspace)).toEqual(before);
    workspace.open('/clusters', 'new-tab');
    workspace.switchCluster(1);
    expect(tabsOf(workspace)).toEqual(['/clusters/1']);
  });

  test('a place that names more than the cluster leads to the new cluster’s page', () => {
    expect(onCluster(registry, '/', 2)).toBe('/clusters/2');
    expect(onCluster(registry, '/clusters', 2)).toBe('/clusters/2');
    expect(onCluster(registry, '/nowhere', 2)).toBe('/clusters/2');
    expect(onCluster(registry, '/clusters/1/namespaces?q=a', 2)).toBe('/clusters/2/namespaces');
    expect(onCluster(registry, '/clusters/1/crds/a.b?q=a', 2), 'a list of any kind').toBe(
      '/clusters/2/crds/a.b',
    );
    expect(onCluster(registry, '/clusters/1/crds/a.b/one', 2), 'an object').toBe('/clusters/2');
  });

  test('closing the last tab opens the cluster’s page; clearing all without a cluster leads home', () => {
    const on = new TiledWorkspace({ registry, browser: browser('/clusters/5/pods').place });
    on.closeTab();
    expect(on.href()).toBe('/clusters/5');
    const off = new TiledWorkspace({ registry, browser: browser('/clusters').place });
    off.clearTabs();
    expect(off.href()).toBe('/');
  });

  test('screens without chrome cover the tabs and never become one', () => {
    const { place, entries } = browser('/clusters/1/pods');
    const workspace = new TiledWorkspace({ registry, browser: place });
    workspace.redirect('/login');
    expect(workspace.href()).toBe('/login');
    expect(tabsOf(workspace)).toEqual(['/clusters/1/pods']);
    expect(entries).toEqual(['/login']);
    workspace.redirect('/clusters/1/pods');
    expect(workspace.state.get().bare).toBeNull();
  });

  test('who is led elsewhere keeps no tab of the place they may not see', () => {
    const { place, entries } = browser('/clusters/1/pods');
    const workspace = new TiledWorkspace({ registry, browser: place });
    workspace.open('/clusters/1/settings/global');
    workspace.redirect('/');
    expect(tabsOf(workspace)).toEqual(['/clusters/1/pods', '/']);
    expect(entries).toEqual(['/clusters/1/pods', '/']);
    workspace.open('/clusters/1/settings/global');
    workspace.redirect('/');
    expect(tabsOf(workspace), 'home is there already').toEqual(['/clusters/1/pods', '/']);
    expect(workspace.href()).toBe('/');
  });

  test('follows where a guard leads, without a tab of the place that may not be seen', () => {
    const { place, entries, replaced } = browser('/clusters/1/pods');
    const workspace = new TiledWorkspace({ registry, browser: place });
    workspace.open('/clusters/1/settings/global');
    replaced('/');
    expect(tabsOf(workspace)).toEqual(['/clusters/1/pods', '/']);
    replaced('/login');
    expect(workspace.state.get().bare).toBe('/login');
    expect(entries).toEqual(['/clusters/1/pods', '/login']);
  });

  test('takes an address over that the router writes another way, with the other tiles', () => {
    const { place, entries, replaced } = browser('/clusters//1/pods?_w=1r50-50(*,/clusters)');
    const workspace = new TiledWorkspace({ registry, browser: place });
    replaced('/clusters/1/pods?_w=1r50-50(*,/clusters)');
    expect(tabsOf(workspace)).toEqual(['/clusters/1/pods', '/clusters']);
    expect(entries).toEqual(['/clusters/1/pods?_w=1r50-50(*,/clusters)']);
  });

  test('a tab of an unknown cluster goes home, and the cluster is no longer selected', () => {
    const { place, entries } = browser('/clusters/9/pods');
    const workspace = new TiledWorkspace({ registry, browser: place });
    workspace.sendHome(focusedTab(workspace.state.get().layout).id);
    expect(entries).toEqual(['/']);
    expect(workspace.state.get().clusterId).toBeUndefined();
  });

  test('a reload finds its tabs and its cluster again', () => {
    const first = browser('/clusters/3/pods');
    new TiledWorkspace({ registry, browser: first.place }).open('/clusters');
    const again = new TiledWorkspace({ registry, browser: browser('/clusters', first.stored()).place });
    expect(tabsOf(again)).toEqual(['/clusters/3/pods', '/clusters']);
    expect(again.state.get().clusterId).toBe(3);
  });

  test('an address elsewhere is refused', () => {
    const workspace = new TiledWorkspace({ registry, browser: browser('/').place });
    expect(() => workspace.open('//evil.example')).toThrow('not a path of this console');
  });
});
