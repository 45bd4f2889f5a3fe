import { describe, expect, test } from 'vitest';
import { cell } from '../../src/web/core/state/state.ts';
import { edit } from '../../src/web/workspace/edit.ts';
import {
  allTabs,
  focusedTab,
  type Layout,
  type LayoutRules,
  mountedTabs,
  singleTab,
  tilesOf,
} from '../../src/web/workspace/layout.ts';
import { viewKey } from '../../src/web/workspace/place.ts';
import { hold } from '../../src/web/workspace/use-held.ts';
import type { HeldByTab } from '../../src/web/workspace/port.ts';

function rules(fallback = '/clusters/1'): LayoutRules {
  let count = 0;
  return { keyOf: viewKey, viewOf: viewKey, fallback: () => fallback, newId: () => `t${(count += 1)}` };
}
const hrefs = (layout: Layout) => allTabs(layout).map((tab) => tab.href);
const opened = (r: LayoutRules, ...places: readonly string[]) =>
  places
    .slice(1)
    .reduce((layout, href) => edit(layout, { type: 'open', href }, r), singleTab(places[0] ?? '/', r));
const idOf = (layout: Layout, href: string) => allTabs(layout).find((tab) => tab.href === href)?.id ?? '';

describe('tabs', () => {
  test('a new path becomes a tab beside the active one', () => {
    const r = rules();
    const layout = opened(r, '/a', '/b');
    const back = edit(layout, { type: 'activate', tab: idOf(layout, '/a') }, r);
    expect(hrefs(edit(back, { type: 'open', href: '/c' }, r))).toEqual(['/a', '/c', '/b']);
  });

  test('opening an open path activates its tab, with the search asked for', () => {
    const r = rules();
    const layout = edit(opened(r, '/a', '/b'), { type: 'open', href: '/a?ns=shop' }, r);
    expect(hrefs(layout)).toEqual(['/a?ns=shop', '/b']);
    expect(focusedTab(layout).href).toBe('/a?ns=shop');
  });

  test('a tool of an object is another tab', () => {
    expect(hrefs(opened(rules(), '/a', '/a?view=logs', '/a?view=logs&tail=5'))).toEqual([
      '/a',
      '/a?view=logs&tail=5',
    ]);
  });

  test('the graphs of two namespaces are two tabs, and neither takes the place of the other', () => {
    const graph = '/clusters/1/visualization/resources';
    const both = [graph, `${graph}?ns=shop`, `${graph}?ns=web&form=tree`, `${graph}?ns=shop&form=tree`];
    expect(new Set(both.map(viewKey)).size).toBe(3);
    expect(viewKey('/clusters/1/pods?ns=shop')).toBe(viewKey('/clusters/1/pods?ns=web'));
  });

  test('closing the active tab activates its neighbour', () => {
    const r = rules();
    const layout = opened(r, '/a', '/b', '/c');
    const middle = edit(layout, { type: 'activate', tab: idOf(layout, '/b') }, r);
    expect(focusedTab(edit(middle, { type: 'close', tab: idOf(layout, '/b') }, r)).href).toBe('/c');
    expect(focusedTab(edit(layout, { type: 'close', tab: idOf(layout, '/c') }, r)).href).toBe('/b');
  });

  test('closing another tab leaves the active one', () => {
    const r = rules();
    const layout = opened(r, '/a', '/b');
    expect(focusedTab(edit(layout, { type: 'close', tab: idOf(layout, '/a') }, r)).href).toBe('/b');
  });

  test('the last tab gives way to the cluster’s page, and so does clearing all', () => {
    const r = rules('/clusters/4');
    const layout = opened(r, '/a');
    expect(hrefs(edit(layout, { type: 'close', tab: idOf(layout, '/a') }, r))).toEqual(['/clusters/4']);
    expect(hrefs(edit(opened(r, '/a', '/b'), { type: 'clear' }, r))).toEqual(['/clusters/4']);
  });

  test('a tab that moves onto another’s path gives way to it', () => {
    const r = rules();
    const layout = opened(r, '/', '/clusters/9/pods');
    const home = edit(layout, { type: 'href', tab: idOf(layout, '/clusters/9/pods'), href: '/' }, r);
    expect(hrefs(home)).toEqual(['/']);
    expect(focusedTab(home).href).toBe('/');
  });

  test('nothing changes when nothing is asked for', () => {
    const r = rules();
    const layout = opened(r, '/a', '/b');
    expect(edit(layout, { type: 'open', href: '/b' }, r)).toBe(layout);
    expect(edit(layout, { type: 'close', tab: 'unknown' }, r)).toBe(layout);
  });

  test('at most ten views stay mounted, the most recently shown', () => {
    const places = Array.from({ length: 14 }, (_, index) => `/p${index}`);
    const layout = opened(rules(), ...places);
    const mounted = mountedTabs(layout, 10, new Set());
    expect(mounted.size).toBe(10);
    expect(mounted.has(idOf(layout, '/p13'))).toBe(true);
    expect(mounted.has(idOf(layout, '/p3'))).toBe(false);
  });

  test('a view that holds something stays mounted, however long ago it was shown', () => {
    const places = Array.from({ length: 14 }, (_, index) => `/p${index}`);
    const layout = opened(rules(), ...places);
    const held = cell<HeldByTab>(new Map());
    const letGo = hold(held, idOf(layout, '/p2'), { what: 'an open terminal', isUnsaved: false });
    hold(held, 'closed meanwhile', { what: 'an open terminal', isUnsaved: false });
    const mounted = mountedTabs(layout, 10, held.get());
    expect(mounted.has(idOf(layout, '/p2'))).toBe(true);
    expect(mounted.size).toBe(10);
    letGo();
    expect(mountedTabs(layout, 10, held.get()).has(idOf(layout, '/p2'))).toBe(false);
  });

  test('views that hold something are all kept, even if that is more than ten', () => {
    const places = Array.from({ length: 14 }, (_, index) => `/p${index}`);
    const layout = opened(rules(), ...places);
    const all = new Set(places.map((place) => idOf(layout, place)));
    expect(mountedTabs(layout, 10, all)).toEqual(all);
  });

  test('the ten are counted over the workspace, and what shows in any tile is among them', () => {
    const r = rules();
    const one = opened(r, '/first');
    let layout = edit(one, { type: 'split', side: 'right', href: '/p0' }, r);
    for (let at = 1; at < 14; at += 1) layout = edit(layout, { type: 'open', href: `/p${at}` }, r);
    const mounted = mountedTabs(layout, 10, new Set());
    expect(mounted.size).toBe(10);
    expect(mounted.has(idOf(layout, '/first'))).toBe(true);
  });
});

describe('tabs of several tiles', () => {
  const two = (r: LayoutRules) =>
    edit(opened(r, '/a', '/b'), { type: 'split', side: 'right', href: '/c' }, r);
  const byTile = (layout: Layout) => tilesOf(layout).map((group) => group.tabs.map((tab) => tab.href));

  test('reopening looks in the focused tile first', () => {
    const r = rules();
    const twice = edit(two(r), { type: 'open', href: '/a', isInTile: true }, r);
    expect(byTile(twice)).toEqual([
      ['/a', '/b'],
      ['/c', '/a'],
    ]);
    const again = edit(
      edit(twice, { type: 'activate', tab: tilesOf(twice)[1]?.tabs[0]?.id ?? '' }, r),
      { type: 'open', href: '/a' },
      r,
    );
    expect(again.focused).toBe(tilesOf(twice)[1]?.id);
  });

  test('reopening looks in the other tiles next, and moves the focus there', () => {
    const r = rules();
    const layout = edit(two(r), { type: 'open', href: '/a?ns=x' }, r);
    expect(byTile(layout)).toEqual([['/a?ns=x', '/b'], ['/c']]);
    expect(focusedTab(layout).href).toBe('/a?ns=x');
  });

  test('an explicit split always makes a tile', () => {
    const r = rules();
    const layout = edit(two(r), { type: 'split', side: 'down', href: '/a' }, r);
    expect(byTile(layout)).toEqual([['/a', '/b'], ['/c'], ['/a']]);
  });

  test('the last tab of a tile takes the tile with it; the focus goes to the tile that had it before', () => {
    const r = rules();
    const layout = two(r);
    const closed = edit(layout, { type: 'close', tab: idOf(layout, '/c') }, r);
    expect(byTile(closed)).toEqual([['/a', '/b']]);
    expect(closed.root.type).toBe('group');
    expect(focusedTab(closed).href).toBe('/b');
  });

  test('clearing all leaves one tile with the fallback', () => {
    expect(byTile(edit(two(rules('/clusters/2')), { type: 'clear' }, rules('/clusters/2')))).toEqual([
      ['/clusters/2'],
    ]);
  });

  test('a tab moved to another tile joins it, shows there, and takes the place of its twin', () => {
    const r = rules();
    const layout = two(r);
    const [left, right] = tilesOf(layout);
    const moved = edit(layout, { type: 'moveTab', tab: idOf(layout, '/a'), tile: right?.id ?? '', at: 0 }, r);
    expect(byTile(moved)).toEqual([['/b'], ['/a', '/c']]);
    expect(focusedTab(moved).href).toBe('/a');
    const last = edit(moved, { type: 'moveTab', tab: idOf(moved, '/b'), tile: right?.id ?? '' }, r);
    expect(byTile(last)).toEqual([['/a', '/c', '/b']]);
    expect(left).toBeDefined();
  });

  test('a tab is moved among its neighbours', () => {
    const r = rules();
    const layout = opened(r, '/a', '/b', '/c');
    const tile = layout.focused;
    const first = edit(layout, { type: 'moveTab', tab: idOf(layout, '/c'), tile, at: 0 }, r);
    expect(hrefs(first)).toEqual(['/c', '/a', '/b']);
    const behind = edit(first, { type: 'moveTab', tab: idOf(layout, '/c'), tile, at: 2 }, r);
    expect(hrefs(behind)).toEqual(['/a', '/c', '/b']);
  });
});
