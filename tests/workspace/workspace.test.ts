import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { activeTab, allTabs, focusedTab, tilesOf } from '../../src/web/workspace/layout.ts';
import { onCluster } from '../../src/web/workspace/place.ts';
import { type BrowserPlace, createWorkspace } from '../../src/web/workspace/workspace.ts';

const registry = createRegistry(commands);

/** A browser's history of addresses, without a browser. */
function browser(start: string, stored: string | null = null) {
  const entries = [start];
  const ahead: string[] = [];
  let kept = stored;
  let steps = 0;
  const go = (by: number) => {
    steps += by;
    for (let at = by; at < 0; at += 1) ahead.unshift(...entries.splice(-1));
    entries.push(...ahead.splice(0, Math.max(0, by)));
  };
  const place: BrowserPlace = {
    href: () => entries.at(-1) ?? '/',
    push: (href) => {
      ahead.length = 0;
      entries.push(href);
    },
    replace: (href) => entries.splice(-1, 1, href),
    moved: () => {
      const by = steps;
      steps = 0;
      return by;
    },
    go,
    read: () => kept,
    write: (text) => {
      kept = text;
    },
  };
  return { place, entries, back: () => go(-1), stored: () => kept };
}
const tabsOf = (workspace: ReturnType<typeof createWorkspace>) =>
  allTabs(workspace.state.get().layout).map((tab) => tab.href);

describe('what holds something', () => {
  const ways: readonly (readonly [
    string,
    (workspace: ReturnType<typeof createWorkspace>) => void,
    number,
  ])[] = [
    ['closing its tab', (workspace) => workspace.closeTab(), 1],
    ['closing its tile', (workspace) => workspace.closeTile(), 2],
    ['closing all tabs', (workspace) => workspace.clearTabs(), 3],
    ['changing the cluster', (workspace) => workspace.switchCluster(2), 3],
  ];
  test.each(ways)('is asked about before %s, which waits for the answer', (_, close, closing) => {
    const asked: { readonly tabs: readonly string[]; readonly go: () => void }[] = [];
    const { place } = browser('/clusters/1/pods');
    const workspace = createWorkspace(registry, place, (tabs, go) => asked.push({ tabs, go }));
    workspace.open('/clusters/1/nodes', 'split-right');
    workspace.open('/clusters/1/namespaces');
    const before = workspace.state.get();
    close(workspace);
    expect(workspace.state.get()).toBe(before);
    expect(asked.map(({ tabs }) => tabs.length)).toEqual([closing]);
    asked[0]?.go();
    expect(allTabs(workspace.state.get().layout).length).toBe(Math.max(1, 3 - closing));
  });

  /** A workspace over a browser that asks before anything is lost, as if every tab held something. */
  const asking = (start: string) => {
    const asked: { readonly tabs: readonly string[]; readonly go: () => void; readonly isWay: boolean }[] =
      [];
    const tools = browser(start);
    const workspace = createWorkspace(registry, tools.place, (tabs, go, isWay) =>
      asked.push({ tabs, go, isWay }),
    );
    return { ...tools, asked, workspace };
  };
  const shell = '/clusters/1/namespaces/shop/pods/web?view=shell';

  test('is asked about before the browser’s Back takes it, which stays where it was until then', () => {
    const { workspace, entries, back, asked } = asking(`${shell}&container=a`);
    workspace.setHref(focusedTab(workspace.state.get().layout).id, `${shell}&container=b`, 'replace');
    workspace.open('/clusters/1/pods');
    workspace.activate(allTabs(workspace.state.get().layout)[0]?.id ?? '');
    const id = focusedTab(workspace.state.get().layout).id;
    workspace.change({ type: 'href', tab: id, href: `${shell}&container=c` }, 'push');
    asked.pop()?.go();
    expect(tabsOf(workspace)[0]).toBe(`${shell}&container=c`);

    back();
    workspace.follow();
    expect(asked.map(({ tabs, isWay }) => [tabs, isWay])).toEqual([[[id], true]]);
    expect(entries.at(-1)).toBe(`${shell}&container=c`);
    // The browser tells of its way back to where it stood: nobody is asked again.
    workspace.follow();
    expect(asked).toHaveLength(1);
    expect(tabsOf(workspace)[0]).toBe(`${shell}&container=c`);

    asked[0]?.go();
    workspace.follow();
    expect(asked).toHaveLength(1);
    expect(entries.at(-1)).toBe(`${shell}&container=b`);
    expect(tabsOf(workspace)[0]).toBe(`${shell}&container=b`);
  });

  test('is asked about before Back shows a screen that covers all tabs', () => {
    const { workspace, entries, back, asked } = asking('/login');
    workspace.open('/clusters/1/pods');
    asked.length = 0;
    back();
    workspace.follow();
    expect(asked.map(({ isWay }) => isWay)).toEqual([true]);
    expect(entries.at(-1)).toBe('/clusters/1/pods');
    expect(workspace.state.get().bare).toBeNull();
  });

  test('is not asked about by Back to what leaves its tab as it is', () => {
    const { workspace, back, asked } = asking(shell);
    workspace.open('/clusters/1/pods', 'split-right');
    back();
    workspace.follow();
    expect(asked).toEqual([]);
    expect(tabsOf(workspace)).toContain(shell);
  });

  test('is asked about before another tab of its path takes its place, and before all is left', () => {
    const { workspace, asked } = asking(shell);
    workspace.open(shell, 'split-right');
    const [left, right] = tilesOf(workspace.state.get().layout);
    workspace.change({ type: 'moveTab', tab: right?.active ?? '', tile: left?.id ?? '' }, 'push');
    expect(asked.map(({ tabs }) => tabs)).toEqual([[left?.active]]);
    workspace.leaveAll(() => {});
    expect(asked.at(-1)?.tabs).toHaveLength(2);
  });

  test('is closed by the same act it was asked about, whatever has the focus by then', () => {
    const asked: (() => void)[] = [];
    const { place } = browser('/clusters/1/pods');
    const workspace = createWorkspace(registry, place, (_, go) => asked.push(go));
    workspace.open('/clusters/1/nodes', 'split-right');
    workspace.closeTile();
    workspace.focusTile('left');
    asked[0]?.();
    expect(tabsOf(workspace)).toEqual(['/clusters/1/pods']);
  });
});

describe('the workspace', () => {
  test('the address is always the focused tab’s', () => {
    const { place, entries } = browser('/clusters/1/pods');
    const workspace = createWorkspace(registry, place);
    workspace.open('/clusters/1/namespaces');
    workspace.stepTab(-1);
    expect(entries).toEqual(['/clusters/1/pods', '/clusters/1/namespaces', '/clusters/1/pods']);
  });

  test('going back shows the tab again, also a closed one', () => {
    const { place, entries, back } = browser('/clusters/1/pods');
    const workspace = createWorkspace(registry, place);
    workspace.open('/clusters');
    workspace.closeTab();
    expect(entries.at(-1)).toBe('/clusters/1/pods');
    back();
    workspace.follow();
    expect(workspace.href()).toBe('/clusters');
    expect(tabsOf(workspace)).toEqual(['/clusters/1/pods', '/clusters']);
  });

  test('a search changed in place replaces the entry', () => {
    const { place, entries } = browser('/clusters/1/pods');
    const workspace = createWorkspace(registry, place);
    const tab = focusedTab(workspace.state.get().layout).id;
    workspace.setHref(tab, '/clusters/1/pods?q=a', 'replace');
    expect(entries).toEqual(['/clusters/1/pods?q=a']);
  });

  test('the selected cluster stays while a place without one is shown', () => {
    const { place } = browser('/clusters/7/pods');
    const workspace = createWorkspace(registry, place);
    workspace.open('/clusters');
    expect(workspace.state.get().clusterId).toBe(7);
    workspace.open('/clusters/8');
    expect(workspace.state.get().clusterId).toBe(8);
  });

  test('changing the cluster clears namespace and tabs and keeps the route', () => {
    const { place } = browser('/clusters/1');
    const workspace = createWorkspace(registry, place);
    workspace.open('/clusters/1/pods?ns=shop&q=x');
    workspace.switchCluster(2);
    expect(tabsOf(workspace)).toEqual(['/clusters/2/pods']);
    expect(workspace.state.get().clusterId).toBe(2);
  });

  test('a place that names more than the cluster leads to the new cluster’s page', () => {
    expect(onCluster(registry, '/', 2)).toBe('/clusters/2');
    expect(onCluster(registry, '/clusters', 2)).toBe('/clusters/2');
    expect(onCluster(registry, '/nowhere', 2)).toBe('/clusters/2');
    expect(onCluster(registry, '/clusters/1/namespaces?q=a', 2)).toBe('/clusters/2/namespaces');
  });

  test('closing the last tab opens the cluster’s page; clearing all without a cluster leads home', () => {
    const on = createWorkspace(registry, browser('/clusters/5/pods').place);
    on.closeTab();
    expect(on.href()).toBe('/clusters/5');
    const off = createWorkspace(registry, browser('/clusters').place);
    off.clearTabs();
    expect(off.href()).toBe('/');
  });

  test('screens without chrome cover the tabs and never become one', () => {
    const { place, entries } = browser('/clusters/1/pods');
    const workspace = createWorkspace(registry, place);
    workspace.redirect('/login');
    expect(workspace.href()).toBe('/login');
    expect(tabsOf(workspace)).toEqual(['/clusters/1/pods']);
    expect(entries).toEqual(['/login']);
    workspace.redirect('/clusters/1/pods');
    expect(workspace.state.get().bare).toBeNull();
  });

  test('a tab of an unknown cluster goes home, and the cluster is no longer selected', () => {
    const { place, entries } = browser('/clusters/9/pods');
    const workspace = createWorkspace(registry, place);
    workspace.sendHome(focusedTab(workspace.state.get().layout).id);
    expect(entries).toEqual(['/']);
    expect(workspace.state.get().clusterId).toBeUndefined();
  });

  test('a reload finds its tabs and its cluster again', () => {
    const first = browser('/clusters/3/pods');
    createWorkspace(registry, first.place).open('/clusters');
    const again = createWorkspace(registry, browser('/clusters', first.stored()).place);
    expect(tabsOf(again)).toEqual(['/clusters/3/pods', '/clusters']);
    expect(again.state.get().clusterId).toBe(3);
  });

  test('an address elsewhere is refused', () => {
    const workspace = createWorkspace(registry, browser('/').place);
    expect(() => workspace.open('//evil.example')).toThrow('not a path of this console');
  });
});

describe('the workspace of several tiles', () => {
  const start = (address: string, stored: string | null = null) => {
    const at = browser(address, stored);
    return { ...at, workspace: createWorkspace(registry, at.place) };
  };
  const now = (workspace: ReturnType<typeof createWorkspace>) => workspace.state.get();
  const shown = (workspace: ReturnType<typeof createWorkspace>) =>
    tilesOf(now(workspace).layout).map((group) => activeTab(group).href);

  test('opening into a split puts both tiles into the address; a closed tile comes back with back', () => {
    const { workspace, entries, back } = start('/clusters/1/pods');
    workspace.open('/clusters/1/namespaces', 'split-right');
    expect(entries.at(-1)).toBe('/clusters/1/namespaces?_w=1r50-50(/clusters/1/pods,*)');
    workspace.closeTile();
    expect(entries.at(-1)).toBe('/clusters/1/pods');
    back();
    workspace.follow();
    expect(shown(workspace)).toEqual(['/clusters/1/pods', '/clusters/1/namespaces']);
    expect(workspace.href()).toBe('/clusters/1/namespaces');
  });

  test('splitting, navigating, moving and closing add to the history; focus and sizes do not', () => {
    const { workspace, entries } = start('/clusters/1/pods');
    const grows = (by: number, act: () => void) => {
      const before = entries.length;
      const address = entries.at(-1);
      act();
      expect(entries.at(-1)).not.toBe(address);
      expect(entries.length - before).toBe(by);
    };
    grows(1, () => workspace.split('right'));
    grows(1, () => workspace.open('/clusters/1/nodes'));
    grows(0, () => workspace.focusTile('left'));
    grows(0, () => workspace.resizeTile('row', 5));
    grows(0, () => workspace.equaliseTiles());
    grows(0, () => workspace.toggleMaximised());
    grows(0, () => workspace.stepTile(1));
    grows(1, () => workspace.moveTile('left'));
    grows(1, () => workspace.moveTab('right'));
    grows(1, () => workspace.closeTile());
  });

  test('while a boundary is dragged the address rests', () => {
    const { workspace, entries } = start('/clusters/1/pods');
    workspace.split('right');
    const { root } = now(workspace).layout;
    const before = [...entries];
    workspace.change({ type: 'resize', split: root.id, index: 0, size: 30 }, 'none');
    expect(entries).toEqual(before);
    workspace.change({ type: 'resize', split: root.id, index: 0, size: 30 }, 'replace');
    expect(entries.at(-1)).toContain('_w=1r30-70(');
    expect(entries).toHaveLength(before.length);
  });

  test('what another tile filters is in the address too; what no tile shows is not', () => {
    const { workspace, entries } = start('/clusters/1/pods');
    workspace.open('/clusters/1/nodes', 'split-right');
    const [left] = tilesOf(now(workspace).layout);
    workspace.setHref(left?.active ?? '', '/clusters/1/pods?q=cart', 'replace');
    expect(entries.at(-1)).toBe('/clusters/1/nodes?_w=1r50-50(/clusters/1/pods?q=cart,*)');
    workspace.open('/clusters/1/events');
    const hidden = tilesOf(now(workspace).layout)[1]?.tabs[0]?.id ?? '';
    const before = [...entries];
    workspace.setHref(hidden, '/clusters/1/nodes?q=x', 'push');
    expect(entries).toEqual(before);
  });

  test('the selected cluster is the focused tile’s; focusing is no change of cluster', () => {
    const { workspace } = start('/clusters/1/pods');
    workspace.open('/clusters/2/pods', 'split-right');
    expect(now(workspace).clusterId).toBe(2);
    workspace.focusTile('left');
    expect(now(workspace).clusterId).toBe(1);
    expect(shown(workspace)).toEqual(['/clusters/1/pods', '/clusters/2/pods']);
  });

  test('choosing another cluster clears every tile and keeps the route', () => {
    const { workspace, entries } = start('/clusters/1/nodes');
    workspace.open('/clusters/1/pods?ns=shop', 'split-down');
    workspace.switchCluster(3);
    expect(shown(workspace)).toEqual(['/clusters/3/pods']);
    expect(entries.at(-1)).toBe('/clusters/3/pods');
  });

  test('clearing all collapses to one tile with the cluster’s page', () => {
    const { workspace } = start('/clusters/1/nodes');
    workspace.split('right');
    workspace.clearTabs();
    expect(shown(workspace)).toEqual(['/clusters/1']);
  });

  test('an unknown cluster sends the focused tile home and stays in any other', () => {
    const { workspace, entries } = start('/clusters/9/nodes?_w=1r50-50(*,/clusters/9/pods)');
    const [left, right] = tilesOf(now(workspace).layout);
    workspace.sendHome(right?.active ?? '');
    workspace.sendHome(left?.active ?? '');
    expect(shown(workspace)).toEqual(['/', '/clusters/9/pods']);
    expect(entries).toEqual(['/?_w=1r50-50(*,/clusters/9/pods)']);
    expect(now(workspace).clusterId).toBeUndefined();
  });

  test('a link shows somebody else the same, and a reload brings the background tabs back', () => {
    const mine = start('/clusters/1/pods');
    mine.workspace.open('/clusters/1/nodes');
    mine.workspace.open('/clusters/2/events', 'split-down');
    const link = mine.entries.at(-1) ?? '';
    const theirs = start(link).workspace;
    expect(shown(theirs)).toEqual(['/clusters/1/nodes', '/clusters/2/events']);
    expect(theirs.href()).toBe('/clusters/2/events');
    expect(tabsOf(start(link, mine.stored()).workspace)).toEqual([
      '/clusters/1/pods',
      '/clusters/1/nodes',
      '/clusters/2/events',
    ]);
  });

  test('the whole layout survives a sign-in: the address is what is remembered', () => {
    const { workspace } = start('/clusters/1/pods');
    workspace.open('/clusters/1/nodes', 'split-right');
    const address = workspace.address();
    workspace.forget();
    workspace.redirect('/login');
    expect(workspace.address()).toBe('/login');
    workspace.redirect(address);
    expect(shown(workspace)).toEqual(['/clusters/1/pods', '/clusters/1/nodes']);
  });

  test('screens without chrome stand in no tile', () => {
    const { workspace } = start('/clusters/1/pods?_w=1r50-50(/login,*)');
    expect(shown(workspace)).toEqual(['/clusters/1/pods']);
  });

  test('a full workspace says so instead of doing nothing', () => {
    const { workspace } = start('/clusters/1/pods');
    for (let count = 1; count < 8; count += 1) workspace.split('right');
    expect(() => workspace.split('down')).toThrow('At most 8 tiles fit. Close one first.');
    expect(() => workspace.open('/', 'split-right')).toThrow('At most 8 tiles fit.');
    expect(shown(workspace)).toHaveLength(8);
  });
});

describe('the way back', () => {
  const list = '/clusters/1/pods?q=api';
  const object = '/clusters/1/namespaces/shop/pods/api-1';

  test('leads from an object to where it was opened from, step by step, and no further', () => {
    const workspace = createWorkspace(registry, browser(list).place);
    workspace.open(object);
    workspace.open(`${object}?view=yaml`);
    expect(workspace.leave()).toBe(true);
    expect(workspace.href()).toBe(object);
    expect(workspace.leave()).toBe(true);
    expect(workspace.href()).toBe(list);
    expect(workspace.leave()).toBe(false);
    expect(tabsOf(workspace)).toEqual([list, object, `${object}?view=yaml`]);
  });

  test('never goes round in a ring', () => {
    const workspace = createWorkspace(registry, browser(list).place);
    workspace.open(object);
    workspace.open(`${object}?view=logs`);
    workspace.open(object);
    workspace.leave();
    expect(workspace.href()).toBe(list);
  });

  test('is the latest one: whence it was opened last', () => {
    const workspace = createWorkspace(registry, browser(list).place);
    workspace.open(object);
    workspace.open('/clusters/1/deployments');
    workspace.open('/clusters/1/namespaces/shop/deployments/api');
    workspace.open(object);
    workspace.leave();
    expect(workspace.href()).toBe('/clusters/1/namespaces/shop/deployments/api');
  });

  test('a list opened from a list is a change of place', () => {
    const workspace = createWorkspace(registry, browser(list).place);
    workspace.open('/clusters/1/deployments');
    expect(workspace.leave()).toBe(false);
  });

  test('leads to the tile it was opened from', () => {
    const workspace = createWorkspace(registry, browser(list).place);
    const { focused } = workspace.state.get().layout;
    workspace.open(object, 'split-right');
    workspace.leave();
    expect(workspace.state.get().layout.focused).toBe(focused);
    expect(tilesOf(workspace.state.get().layout)).toHaveLength(2);
  });

  test('opens a tab anew that was closed meanwhile, and minds what it was after a reload', () => {
    const at = browser(list);
    const first = createWorkspace(registry, at.place);
    const tab = focusedTab(first.state.get().layout).id;
    first.open(object);
    first.closeTab(tab);
    expect(tabsOf(first)).toEqual([object]);
    const again = createWorkspace(registry, browser(object, at.stored()).place);
    again.leave();
    expect(again.href()).toBe(list);
  });

  test('minds the filter a list has by now', () => {
    const workspace = createWorkspace(registry, browser(list).place);
    const tab = focusedTab(workspace.state.get().layout).id;
    workspace.open(object);
    workspace.setHref(tab, '/clusters/1/pods?q=other', 'replace');
    workspace.leave();
    expect(workspace.href()).toBe('/clusters/1/pods?q=other');
  });
});
