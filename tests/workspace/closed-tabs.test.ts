import { describe, expect, test } from 'vitest';
import { edit } from '../../src/web/workspace/edit.ts';
import { allTabs, focusedTab, type LayoutRules, singleTab } from '../../src/web/workspace/layout.ts';
import { viewKey } from '../../src/web/workspace/place.ts';
import { TiledWorkspace } from '../../src/web/workspace/workspace.ts';
import { browser, registry, tabsOf } from './browser.ts';

const [pods, deployments, nodes] = ['/clusters/1/pods', '/clusters/1/deployments', '/clusters/1/nodes'];

function workspaceOf(...hrefs: readonly string[]) {
  const [first = '/', ...others] = hrefs;
  const { place, back } = browser(first);
  const workspace = new TiledWorkspace({ registry, browser: place });
  for (const href of others) workspace.open(href);
  return { workspace, place, back };
}

describe('closed tabs', () => {
  test('the tab that was closed last opens again where it was, with its search', () => {
    const { workspace } = workspaceOf(pods, `${deployments}?q=api`, nodes);
    workspace.stepTab(-1);
    workspace.closeTab();
    expect(tabsOf(workspace)).toEqual([pods, nodes]);
    expect(workspace.reopenTab()).toBe(true);
    expect(tabsOf(workspace)).toEqual([pods, `${deployments}?q=api`, nodes]);
    expect(workspace.href()).toBe(`${deployments}?q=api`);
    expect(workspace.reopenTab()).toBe(false);
  });

  test('every tab of a closed tile opens again', () => {
    const { workspace } = workspaceOf(pods);
    workspace.open(nodes, 'split-right');
    workspace.closeTile();
    expect(tabsOf(workspace)).toEqual([pods]);
    workspace.reopenTab();
    expect(tabsOf(workspace)).toEqual([pods, nodes]);
  });

  test('closing the others keeps the focused tab, and each of them opens again', () => {
    const { workspace } = workspaceOf(pods, deployments, nodes);
    workspace.stepTab(-1);
    workspace.closeOthers();
    expect(tabsOf(workspace)).toEqual([deployments]);
    workspace.reopenTab();
    workspace.reopenTab();
    expect(tabsOf(workspace).toSorted()).toEqual([deployments, nodes, pods]);
  });

  test('nobody opens the tabs of the person before', () => {
    const { workspace } = workspaceOf(pods, nodes);
    workspace.closeTab();
    workspace.forget();
    expect(workspace.closedTabs()).toEqual([]);
    expect(workspace.reopenTab()).toBe(false);
  });
});

describe('a duplicate of a tab', () => {
  let count = 0;
  const rules: LayoutRules = {
    keyOf: viewKey,
    viewOf: viewKey,
    fallback: () => '/',
    newId: () => `t${(count += 1)}`,
  };
  const two = () => {
    const layout = singleTab(pods, rules);
    return edit(layout, { type: 'duplicate', tab: focusedTab(layout).id }, rules);
  };
  const hrefs = (layout: ReturnType<typeof two>) => allTabs(layout).map(({ href }) => href);

  test('stands beside it, and the two have searches of their own', () => {
    const layout = two();
    const [first, second] = allTabs(layout);
    expect(focusedTab(layout).id).toBe(second?.id);
    const filtered = edit(layout, { type: 'href', tab: second?.id ?? '', href: `${pods}?q=api` }, rules);
    const both = edit(filtered, { type: 'href', tab: first?.id ?? '', href: `${pods}?ns=shop` }, rules);
    expect(hrefs(both)).toEqual([`${pods}?ns=shop`, `${pods}?q=api`]);
  });

  test('opening its path shows the first of them, and the last one left', () => {
    const layout = two();
    const [first] = allTabs(layout);
    const opened = edit(layout, { type: 'open', href: pods }, rules);
    expect(focusedTab(opened).id).toBe(first?.id);
    const alone = edit(opened, { type: 'close', tab: first?.id ?? '' }, rules);
    expect(hrefs(edit(alone, { type: 'open', href: pods }, rules))).toEqual([pods]);
  });

  test('is there again after the page was loaded anew', () => {
    const { workspace, place } = workspaceOf(pods);
    workspace.duplicateTab();
    expect(tabsOf(workspace)).toEqual([pods, pods]);
    expect(tabsOf(new TiledWorkspace({ registry, browser: place }))).toEqual([pods, pods]);
  });
});
