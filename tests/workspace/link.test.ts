import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { edit } from '../../src/web/workspace/edit.ts';
import { allTabs, focusedTab, type Layout, singleTab, tilesOf } from '../../src/web/workspace/layout.ts';
import { addressOf, consolePath, shownBy, type ShownNode } from '../../src/web/workspace/link.ts';
import { viewKey } from '../../src/web/workspace/place.ts';
import { restoreLayout, showAddress } from '../../src/web/workspace/restore.ts';
import { readTabs, storeTabs } from '../../src/web/workspace/stored.ts';
import { rulesOf, seen, some } from './layouts.ts';
import { proof, rounds } from '../prove.ts';

fc.configureGlobal(proof());

const addressNow = (layout: Layout) => addressOf(layout, focusedTab(layout).href);
const one = (href: string) => ({
  root: { type: 'tile', href, isFocused: true },
  isMaximised: false,
});

describe('the address of a layout', () => {
  test('one tile is a plain address', () => {
    const layout = singleTab('/clusters/1/pods?ns=shop', rulesOf());
    expect(addressNow(layout)).toBe('/clusters/1/pods?ns=shop');
  });

  test('several tiles stay readable in the address, behind the focused one’s own', () => {
    const rules = rulesOf();
    const right = edit(
      singleTab('/clusters/1/pods?ns=shop', rules),
      { type: 'split', side: 'right', href: '/clusters/2/namespaces/shop/deployments/cart?view=logs' },
      rules,
    );
    const below = edit(right, { type: 'split', side: 'down', href: '/clusters?q=a,b' }, rules);
    expect(addressNow(below)).toBe(
      '/clusters?q=a,b&_w=1r50-50(/clusters/1/pods?ns=shop,c50-50(/clusters/2/namespaces/shop/deployments/cart?view=logs,*))',
    );
    const covering = edit(below, { type: 'maximise', on: true }, rules);
    expect(addressNow(covering)).toContain('&_w=1mr50-50(');
  });

  test('a browser leaves it as it is', () => {
    fc.assert(
      fc.property(some, (layout) => {
        const [tail] = addressNow(layout).split('_w=').slice(1);
        if (tail === undefined) return;
        expect(new URL(addressNow(layout), 'http://x').search.split('_w=')[1]).toBe(tail);
      }),
    );
  });

  test('an address stays short: what other tiles filter is given up first, then they are', () => {
    const rules = rulesOf();
    const long = edit(
      singleTab(`/a?q=${'x'.repeat(7_000)}`, rules),
      { type: 'split', side: 'right', href: '/b' },
      rules,
    );
    expect(addressNow(long)).toBe('/b?_w=1r50-50(/a,*)');
    const endless = edit(
      singleTab(`/${'x'.repeat(7_000)}`, rules),
      { type: 'split', side: 'right', href: '/b' },
      rules,
    );
    expect(addressNow(endless)).toBe('/b');
  });
});

describe('a broken link falls back to one tile', () => {
  const deep = `1${'r50-50(/a,c50-50(/b,'.repeat(6)}*${'))'.repeat(6)}`;
  test.each([
    ['nothing', ''],
    ['no version', 'r50-50(/a,*)'],
    ['another version', '2r50-50(/a,*)'],
    ['no split', '1*'],
    ['a path alone', '1/a'],
    ['no focused tile', '1r50-50(/a,/b)'],
    ['two focused tiles', '1r50-50(*,*)'],
    ['a split of one', '1r100(*)'],
    ['a row in a row', '1r50-50(/a,r50-50(/b,*))'],
    ['too few sizes', '1r100(/a,*)'],
    ['too many sizes', '1r30-30-40(/a,*)'],
    ['sizes that are not all', '1r20-20(/a,*)'],
    ['a size of nothing', '1r0-100(/a,*)'],
    ['a negative size', '1r--50-150(/a,*)'],
    ['a size that is no number', '1r1.2.3-50(/a,*)'],
    ['an end missing', '1r50-50(/a,*'],
    ['more behind the end', '1r50-50(/a,*)x'],
    ['an empty place', '1r50-50(,*)'],
    ['another origin', '1r50-50(//evil.example,*)'],
    ['another origin, encoded', '1r50-50(/~2Fevil.example,*)'],
    ['another origin by backslash', '1r50-50(/~5Cevil.example,*)'],
    ['another origin by control character', '1r50-50(/~09/evil.example,*)'],
    ['a script', '1r50-50(javascript:alert~281~29,*)'],
    ['a broken escape', '1r50-50(/~ZZ,*)'],
    ['half an escape', '1r50-50(/~E,*)'],
    ['more tiles than fit', `1r${Array(9).fill('11').join('-')}(${Array(8).fill('/a').join(',')},*)`],
    ['more levels than fit', deep],
    ['a text without end', `1r50-50(/${'a'.repeat(7_000)},*)`],
  ])('%s', (_, text) => {
    expect(shownBy(`/clusters/1?q=x&_w=${text}`)).toEqual(one('/clusters/1?q=x'));
  });

  test('whatever stands there: an answer, only paths of this console, and no second layout inside', () => {
    const part = fc.constantFrom(
      '1',
      'm',
      'r',
      'c',
      '50',
      '-',
      '50-50(',
      '(',
      ')',
      ',',
      '*',
      '/a',
      '/a?_w=1',
      '~2F',
      '//',
      '%',
      '&',
      'é',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const shown = shownBy(`/x?_w=1r${parts.join('')}`);
        expect(shown).toBeDefined();
        expect(JSON.stringify(shown)).not.toMatch(/"href":"(?!\/(?![/\\]))/);
        const walk = (node: ShownNode): void => {
          if (node.type === 'split') node.children.forEach(walk);
          else expect(shownBy(node.href)).toEqual(one(node.href));
        };
        if (shown !== undefined) walk(shown.root);
      }),
      { numRuns: rounds(200, 20_000) },
    );
  });

  test('an address elsewhere is none', () => {
    expect(shownBy('//evil.example/?_w=1')).toBeUndefined();
    expect(consolePath('https://evil.example/')).toBeUndefined();
    expect(consolePath('/a?x=1&_w=1r50-50(/a,*)&y=2#z')).toBe('/a?x=1&y=2');
    expect(consolePath('/a?my_w=1')).toBe('/a?my_w=1');
  });
});

describe('going to an address', () => {
  const rules = rulesOf('g');
  const opened = (...hrefs: readonly string[]) =>
    hrefs
      .slice(1)
      .reduce(
        (layout, href) => edit(layout, { type: 'open', href }, rules),
        singleTab(hrefs[0] ?? '/', rules),
      );
  const go = (layout: Layout, address: string) => {
    const shown = shownBy(address);
    if (shown === undefined) throw new Error('The address leads elsewhere.');
    return showAddress(layout, shown, rules);
  };
  const byTile = (layout: Layout) => tilesOf(layout).map(({ tabs }) => tabs.map(({ href }) => href));

  test('it shows what the address says, and nothing that was open is lost', () => {
    fc.assert(
      fc.property(some, some, (from, to) => {
        const next = go(from, addressNow(to));
        expect(seen(next.root, next.focused)).toEqual(seen(to.root, to.focused));
        const keys = new Set(allTabs(next).map(({ href }) => viewKey(href)));
        for (const { href } of allTabs(from)) expect(keys).toContain(viewKey(href));
        const ids = allTabs(next).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test('going where one is keeps every tile and tab the same', () => {
    fc.assert(
      fc.property(some, (layout) => {
        const again = go(layout, addressNow(layout));
        expect(tilesOf(again)).toEqual(tilesOf(layout));
        expect(again.root).toEqual(layout.root);
      }),
    );
  });

  test('back over a split and forward again keep the views', () => {
    const one = opened('/a', '/b');
    const two = edit(one, { type: 'split', side: 'right', href: '/c' }, rules);
    const back = go(two, addressNow(one));
    expect(byTile(back)).toEqual([['/a', '/b', '/c']]);
    const forward = go(back, addressNow(two));
    expect(byTile(forward)).toEqual([['/a', '/b'], ['/c']]);
    expect(allTabs(forward).map(({ id }) => id)).toEqual(allTabs(two).map(({ id }) => id));
  });
});

describe('a page load', () => {
  const load = (text: string | null, address: string) => {
    const shown = shownBy(address);
    if (shown === undefined) throw new Error('The address leads elsewhere.');
    return restoreLayout(readTabs(text).tiles, shown, rulesOf('n'));
  };
  const byTile = (layout: Layout) =>
    tilesOf(layout).map(({ tabs, active }) =>
      tabs.map(({ id, href }) => (id === active ? `${href}!` : href)),
    );

  test('a reload shows the same tiles with the same tabs in the background', () => {
    fc.assert(
      fc.property(some, (layout) => {
        const again = load(storeTabs({ layout, clusterId: 1, namespaces: {} }), addressNow(layout));
        expect(seen(again.root, again.focused)).toEqual(seen(layout.root, layout.focused));
        expect(byTile(again)).toEqual(byTile(layout));
      }),
    );
  });

  test('a reload keeps every tab, however many there are', () => {
    const rules = rulesOf();
    const hrefs = Array.from({ length: 120 }, (_, at) => `/clusters/1/nodes/n${at}`);
    const layout = hrefs.reduce(
      (before, href) => edit(before, { type: 'open', href }, rules),
      singleTab('/', rules),
    );
    const again = load(storeTabs({ layout, clusterId: 1, namespaces: {} }), addressNow(layout));
    expect(byTile(again)).toEqual(byTile(layout));
    expect(byTile(again).flat()).toHaveLength(121);
  });

  test('the address wins over what was stored', () => {
    const rules = rulesOf();
    const layout = edit(singleTab('/a', rules), { type: 'open', href: '/b' }, rules);
    const stored = storeTabs({ layout, clusterId: 3, namespaces: { 3: 'shop' } });
    expect(readTabs(stored)).toMatchObject({ clusterId: 3, namespaces: { 3: 'shop' } });
    expect(byTile(load(stored, '/c'))).toEqual([['/a', '/b', '/c!']]);
    expect(byTile(load(stored, '/a?ns=x'))).toEqual([['/a?ns=x!', '/b']]);
    expect(byTile(load(stored, '/c?_w=1r50-50(/d,*)'))).toEqual([['/d!'], ['/a', '/b', '/c!']]);
  });

  test.each([null, '', '{', '[]', '{"version":1,"tabs":["/a"]}', '{"version":4,"tiles":"/a"}'])(
    'junk is ignored: %j',
    (text) => expect(readTabs(text)).toEqual({ tiles: [] }),
  );

  test('foreign addresses are dropped', () => {
    const text =
      '{"version":4,"tiles":[[["//evil.example"],7,[],["/a"],["/b",["//evil.example"]],["/c",["/a"]]],9]}';
    const own = [
      { href: '/a', way: [] },
      { href: '/b', way: [] },
      { href: '/c', way: ['/a'] },
    ];
    expect(readTabs(text).tiles).toEqual([own, []]);
  });
});
