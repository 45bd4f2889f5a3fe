import { describe, expect, test } from 'vitest';
import { allTabs, focusedTab, tilesOf } from '../../src/web/workspace/layout.ts';
import { TiledWorkspace } from '../../src/web/workspace/workspace.ts';
import { browser, registry, tabsOf } from './browser.ts';

describe('a tab with unsaved work', () => {
  const ways: readonly (readonly [string, (workspace: TiledWorkspace) => void, number])[] = [
    ['closing its tab', (workspace) => workspace.closeTab(), 1],
    ['closing its tile', (workspace) => workspace.closeTile(), 2],
    ['closing all tabs', (workspace) => workspace.clearTabs(), 3],
    ['changing the cluster', (workspace) => workspace.switchCluster(2), 3],
  ];
  test.each(ways)('is asked about before %s, which waits for the answer', (_, close, closing) => {
    const asked: { readonly tabs: readonly string[]; readonly go: () => void }[] = [];
    const { place } = browser('/clusters/1/pods');
    const workspace = new TiledWorkspace({
      registry,
      browser: place,
      beforeClosing: (tabs, go) => asked.push({ tabs, go }),
    });
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
    const workspace = new TiledWorkspace({
      registry,
      browser: tools.place,
      beforeClosing: (tabs, go, isWay) => asked.push({ tabs, go, isWay }),
    });
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
    expect(asked.map(({ tabs, isWay }) => [tabs, isWay])).toEqual([[[id], true]]);
    expect(entries.at(-1)).toBe(`${shell}&container=c`);
    // The browser tells of its way back to where it stood: nobody is asked again.
    expect(asked).toHaveLength(1);
    expect(tabsOf(workspace)[0]).toBe(`${shell}&container=c`);

    asked[0]?.go();
    expect(asked).toHaveLength(1);
    expect(entries.at(-1)).toBe(`${shell}&container=b`);
    expect(tabsOf(workspace)[0]).toBe(`${shell}&container=b`);
  });

  test('is asked about before Back shows a screen that covers all tabs', () => {
    const { workspace, entries, back, asked } = asking('/login');
    workspace.open('/clusters/1/pods');
    asked.length = 0;
    back();
    expect(asked.map(({ isWay }) => isWay)).toEqual([true]);
    expect(entries.at(-1)).toBe('/clusters/1/pods');
    expect(workspace.state.get().bare).toBeNull();
  });

  test('is not asked about where its view goes on, shown from another section', () => {
    const { workspace, asked } = asking('/settings?at=keys');
    workspace.open('/settings');
    workspace.open('/settings?at=theme');
    expect(asked).toEqual([]);
    expect(tabsOf(workspace)).toEqual(['/settings?at=theme']);
    workspace.open('/clusters/1/namespaces/shop/pods/a?view=shell&container=x', 'here');
    workspace.open('/clusters/1/namespaces/shop/pods/a?view=shell&container=y', 'here');
    expect(asked).toHaveLength(1);
  });

  test('is not asked about by Back to what leaves its tab as it is', () => {
    const { workspace, back, asked } = asking(shell);
    workspace.open('/clusters/1/pods', 'split-right');
    back();
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
    const workspace = new TiledWorkspace({
      registry,
      browser: place,
      beforeClosing: (_, go) => asked.push(go),
    });
    workspace.open('/clusters/1/nodes', 'split-right');
    workspace.closeTile();
    workspace.focusTile('left');
    asked[0]?.();
    expect(tabsOf(workspace)).toEqual(['/clusters/1/pods']);
  });
});
