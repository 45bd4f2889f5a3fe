import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allTabs,
  type Edit,
  edit,
  focusedTab,
  type Layout,
  type LayoutRules,
  mountedTabs,
  singleTab,
} from '../../src/web/workspace/layout.ts';
import { tabKey } from '../../src/web/workspace/place.ts';
import { readTabs, restoreLayout, storeTabs } from '../../src/web/workspace/stored.ts';

function rules(fallback = '/clusters/1'): LayoutRules {
  let count = 0;
  return { keyOf: tabKey, fallback: () => fallback, newId: () => `t${(count += 1)}` };
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
    const mounted = mountedTabs(layout, 10);
    expect(mounted.size).toBe(10);
    expect(mounted.has(idOf(layout, '/p13'))).toBe(true);
    expect(mounted.has(idOf(layout, '/p3'))).toBe(false);
  });

  test('whatever is done: some tab is shown, and no path twice', () => {
    const href = fc.constantFrom('/', '/a', '/b', '/b?view=logs', '/c?ns=x', '/c');
    const change = fc.oneof(
      href.map((to) => ({ type: 'open', href: to }) as const),
      fc.nat(8).map((at) => ({ type: 'close', at }) as const),
      fc.nat(8).map((at) => ({ type: 'activate', at }) as const),
      fc.record({ type: fc.constant('href' as const), at: fc.nat(8), href }),
      fc.constant({ type: 'clear' } as const),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const r = rules();
        let layout = singleTab('/', r);
        for (const one of changes) {
          const tab = 'at' in one ? (allTabs(layout)[one.at % allTabs(layout).length]?.id ?? '') : '';
          layout = edit(layout, { ...one, tab } as Edit, r);
          const keys = hrefs(layout).map(tabKey);
          expect(new Set(keys).size).toBe(keys.length);
          expect(allTabs(layout).some((shown) => shown.id === layout.root.active)).toBe(true);
          expect(layout.root.recent[0]).toBe(layout.root.active);
          for (const id of layout.root.recent)
            expect(allTabs(layout).some((known) => known.id === id)).toBe(true);
        }
      }),
    );
  });
});

describe('tabs of a page load', () => {
  test('the address wins over what was stored', () => {
    const r = rules();
    const { hrefs: stored, clusterId } = readTabs(storeTabs(opened(r, '/a', '/b'), 3));
    expect(clusterId).toBe(3);
    const layout = restoreLayout(stored, '/c', r);
    expect(hrefs(layout)).toEqual(['/a', '/b', '/c']);
    expect(focusedTab(layout).href).toBe('/c');
  });

  test.each([
    null,
    '',
    '{',
    '[]',
    '{"version":2,"tabs":["/a"]}',
    '{"version":1,"tabs":"/a"}',
    '{"version":1,"tabs":["//evil.example",7]}',
  ])('junk is ignored: %j', (text) => expect(readTabs(text)).toEqual({ hrefs: [] }));
});
