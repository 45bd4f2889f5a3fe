import { describe, expect, test } from 'vitest';
import { activeTab, tilesOf } from '../../src/web/workspace/layout.ts';
import { namesTiles } from '../../src/web/workspace/link.ts';
import { TiledWorkspace } from '../../src/web/workspace/workspace.ts';
import { browser, registry, tabsOf } from './browser.ts';

describe('the workspace of several tiles', () => {
  const start = (address: string, stored: string | null = null) => {
    const at = browser(address, stored);
    return { ...at, workspace: new TiledWorkspace({ registry, browser: at.place }) };
  };
  const now = (workspace: TiledWorkspace) => workspace.state.get();
  const shown = (workspace: TiledWorkspace) =>
    tilesOf(now(workspace).layout).map((group) => activeTab(group).href);

  test('opening into a split puts both tiles into the address; a closed tile comes back with back', () => {
    const { workspace, entries, back } = start('/clusters/1/pods');
    workspace.open('/clusters/1/namespaces', 'split-right');
    expect(entries.at(-1)).toBe('/clusters/1/namespaces?_w=1r50-50(/clusters/1/pods,*)');
    workspace.closeTile();
    expect(entries.at(-1)).toBe('/clusters/1/pods');
    back();
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

  test('the address contains the filters of all visible tiles, and nothing of hidden tabs', () => {
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

  test.each(['zzz', '1r50-50(*', '1r50-50(*,//evil.example)', '1r50-50(*,/login)', ''])(
    'of a link whose tiles are “%s” one shows, and its address says nothing of tiles',
    (text) => {
      const address = `/clusters/1/pods?q=a&_w=${text}`;
      expect(namesTiles(address)).toBe(true);
      const { workspace } = start(address);
      expect(shown(workspace)).toEqual(['/clusters/1/pods?q=a']);
      expect(namesTiles(workspace.address())).toBe(false);
    },
  );

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
