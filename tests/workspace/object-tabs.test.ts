import { describe, expect, test } from 'vitest';
import type { Target } from '../../src/registry/commands/invocation.ts';
import { allTabs, focusedTab, tilesOf } from '../../src/web/workspace/layout.ts';
import { tabKey } from '../../src/web/workspace/place.ts';
import { TiledWorkspace } from '../../src/web/workspace/workspace.ts';
import { browser, registry, tabsOf } from './browser.ts';

const list = '/clusters/1/pods';
const pod = '/clusters/1/namespaces/shop/pods/api-1';
const deployment = '/clusters/1/namespaces/shop/deployments/api';

function workspaceOf(first: string, ...others: readonly string[]) {
  const at = browser(first);
  const workspace = new TiledWorkspace({ registry, browser: at.place });
  for (const href of others) workspace.open(href);
  return { workspace, back: at.back };
}

describe('an object has one tab for all its views', () => {
  test.each<{ name: string; one: string; other: string; isSame: boolean }>([
    { name: 'its logs', one: pod, other: `${pod}?view=logs`, isSame: true },
    { name: 'its YAML and its logs', one: `${pod}?view=yaml`, other: `${pod}?view=logs`, isSame: true },
    { name: 'the editor', one: deployment, other: `${deployment}?view=edit`, isSame: true },
    { name: 'a comparison', one: deployment, other: `${deployment}?view=compare&to=1/a/b`, isSame: true },
    { name: 'a shell', one: pod, other: `${pod}?view=shell`, isSame: false },
    { name: 'an attached process', one: `${pod}?view=shell`, other: `${pod}?view=attach`, isSame: false },
    { name: 'another object', one: pod, other: deployment, isSame: false },
    { name: 'the same name in another cluster', one: pod, other: pod.replace('/1/', '/2/'), isSame: false },
    {
      name: 'the logs of several pods of a list',
      one: list,
      other: `${list}?view=logs&pods=a`,
      isSame: false,
    },
    { name: 'a comparison of two lists', one: list, other: `${list}?view=compare&to=1/a`, isSame: false },
  ])('$name', ({ one, other, isSame }) => {
    expect(tabKey(registry, one) === tabKey(registry, other)).toBe(isSame);
  });
});

describe('opening a view of an object', () => {
  test.each<{
    name: string;
    before: readonly string[];
    opened: string;
    target?: Target;
    after: readonly string[];
  }>([
    {
      name: 'changes what its tab shows',
      before: [list, pod],
      opened: `${pod}?view=logs`,
      after: [list, `${pod}?view=logs`],
    },
    {
      name: 'finds its tab from the list',
      before: [pod, list],
      opened: `${pod}?view=yaml`,
      after: [`${pod}?view=yaml`, list],
    },
    {
      name: 'leaves a shell in its tab',
      before: [list, `${pod}?view=shell`],
      opened: `${pod}?view=logs`,
      after: [list, `${pod}?view=shell`, `${pod}?view=logs`],
    },
    {
      name: 'beside adds a tile',
      before: [pod],
      opened: `${pod}?view=logs`,
      target: 'split-right',
      after: [pod, `${pod}?view=logs`],
    },
    {
      name: 'in a tab of its own adds one',
      before: [pod],
      opened: `${pod}?view=logs`,
      target: 'new-tab',
      after: [pod, `${pod}?view=logs`],
    },
  ])('$name', ({ before: [first = '/', ...others], opened, target, after }) => {
    const { workspace } = workspaceOf(first, ...others);
    workspace.open(opened, target);
    expect(tabsOf(workspace)).toEqual(after);
    expect(workspace.href()).toBe(opened);
  });

  test('finds the tab that shows this very view before one that shows another', () => {
    const { workspace } = workspaceOf(pod);
    workspace.open(`${pod}?view=logs`, 'split-right');
    const [left = ''] = tilesOf(workspace.state.get().layout).map(({ active }) => active);
    workspace.open(pod);
    expect(focusedTab(workspace.state.get().layout).id).toBe(left);
    expect(tabsOf(workspace)).toEqual([pod, `${pod}?view=logs`]);
  });

  test('is undone by Back, in the same tab', () => {
    const { workspace, back } = workspaceOf(list, pod, `${pod}?view=logs`);
    const ids = allTabs(workspace.state.get().layout).map(({ id }) => id);
    back();
    expect(tabsOf(workspace)).toEqual([list, pod]);
    expect(allTabs(workspace.state.get().layout).map(({ id }) => id)).toEqual(ids);
  });

  test('asks first where the tab holds something that is not saved', () => {
    const asked: (readonly string[])[] = [];
    const workspace = new TiledWorkspace({
      registry,
      browser: browser(`${deployment}?view=edit`).place,
      beforeClosing: (tabs) => asked.push(tabs),
    });
    workspace.open(`${deployment}?view=logs`);
    expect(asked).toEqual([[focusedTab(workspace.state.get().layout).id]]);
    expect(workspace.href()).toBe(`${deployment}?view=edit`);
  });

  test('a tab that is moved to another view of its object leaves that there', () => {
    const { workspace } = workspaceOf(pod);
    workspace.open(`${pod}?view=logs`, 'split-right');
    workspace.moveTab('left');
    expect(tabsOf(workspace)).toEqual([pod, `${pod}?view=logs`]);
    expect(tilesOf(workspace.state.get().layout)).toHaveLength(1);
  });
});
