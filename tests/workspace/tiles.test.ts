import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { edit, lacksRoom } from '../../src/web/workspace/edit.ts';
import { boundariesOf, neighbourOf, placesOf } from '../../src/web/workspace/geometry.ts';
import {
  focusedTab,
  type Layout,
  type LayoutRules,
  mountedTabs,
  singleTab,
  tileLimit,
  tilesOf,
} from '../../src/web/workspace/layout.ts';
import { shownBy, addressOf } from '../../src/web/workspace/link.ts';
import { leastShare } from '../../src/web/workspace/space.ts';
import { viewKey } from '../../src/web/workspace/place.ts';
import { moveEdit, moveTabEdit, resizeEdit } from '../../src/web/workspace/tile-moves.ts';
import { type LayoutNode, leastSize } from '../../src/web/workspace/tree.ts';
import { change, run, rulesOf, seen, sides, some } from './layouts.ts';
import { proof } from '../prove.ts';

fc.configureGlobal(proof());

/** What must hold of every layout. */
function expectSound(layout: Layout): void {
  const tiles = tilesOf(layout);
  expect(tiles.length).toBeGreaterThan(0);
  expect(tiles.length).toBeLessThanOrEqual(tileLimit);
  for (const { tabs, active } of tiles) {
    expect(tabs.length, 'no empty tile').toBeGreaterThan(0);
    expect(
      tabs.some(({ id }) => id === active),
      'one of its tabs shows',
    ).toBe(true);
    const keys = tabs.map(({ href }) => viewKey(href));
    expect(new Set(keys).size, 'no path twice in a tile').toBe(keys.length);
  }
  const ids = [...tiles.map(({ id }) => id), ...tiles.flatMap(({ tabs }) => tabs.map(({ id }) => id))];
  expect(new Set(ids).size, 'every id once').toBe(ids.length);
  expect(
    tiles.some(({ id }) => id === layout.focused),
    'the focus exists',
  ).toBe(true);
  expect(layout.recent[0], 'what has the focus was shown last').toBe(focusedTab(layout).id);
  if (layout.root.type === 'group') expect(layout.isMaximised).toBe(false);
  const walk = (node: LayoutNode): void => {
    if (node.type === 'group') return;
    expect(node.children.length, 'no split of one').toBeGreaterThan(1);
    expect(node.sizes.length).toBe(node.children.length);
    expect(Math.min(...node.sizes)).toBeGreaterThan(0);
    expect(
      node.sizes.reduce((sum, size) => sum + size, 0),
      'sizes sum to 100',
    ).toBeCloseTo(100, 6);
    for (const child of node.children) {
      if (child.type === 'split') expect(child.direction, 'no row in a row').not.toBe(node.direction);
      walk(child);
    }
  };
  walk(layout.root);
  const area = [...placesOf(layout.root).values()].reduce(
    (sum, { width, height }) => sum + width * height,
    0,
  );
  expect(area, 'the tiles cover everything, once').toBeCloseTo(10_000, 3);
  const mounted = mountedTabs(layout, 10, new Set());
  expect(mounted.size).toBeLessThanOrEqual(10);
  for (const { active } of tiles) expect(mounted.has(active)).toBe(true);
}

/** Tiles and what they show, without ids. */
const shapeOf = (layout: Layout) => seen(layout.root, layout.focused);

describe('whatever is done', () => {
  test('no tile is empty, no split is of one, sizes sum to 100, the focus exists', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const rules = rulesOf();
        let layout = singleTab('/', rules);
        for (const one of changes) {
          layout = run(layout, one, rules);
          expectSound(layout);
        }
      }),
    );
  });

  test('an address shows the same tiles again', () => {
    fc.assert(
      fc.property(some, (layout) => {
        const address = addressOf(layout, focusedTab(layout).href);
        const shown = shownBy(address);
        expect(shown?.isMaximised).toBe(layout.isMaximised);
        expect(shown === undefined ? undefined : seen(shown.root)).toEqual(shapeOf(layout));
      }),
    );
  });
});

describe('undoing a change', () => {
  test('closing the new tile undoes a split, sizes and focus included, unless all had to make room', () => {
    fc.assert(
      fc.property(some, fc.constantFrom('right' as const, 'down' as const), (layout, side) => {
        fc.pre(tilesOf(layout).length < tileLimit && !layout.isMaximised);
        const rules = rulesOf('z');
        const split = edit(layout, { type: 'split', side, href: '/new' }, rules);
        const others = [...placesOf(layout.root)].filter(([id]) => id !== layout.focused);
        const places = placesOf(split.root);
        fc.pre(
          others.every(([id, { width, height }]) => {
            const now = places.get(id);
            return (
              now !== undefined && Math.abs(now.width - width) < 0.5 && Math.abs(now.height - height) < 0.5
            );
          }),
        );
        const back = edit(split, { type: 'closeTile', tile: split.focused }, rules);
        expect(shapeOf(back)).toEqual(shapeOf(layout));
        expect(back.focused).toBe(layout.focused);
      }),
    );
  });

  test('swapping twice leaves everything as it was', () => {
    fc.assert(
      fc.property(some, fc.nat(20), fc.nat(20), (layout, a, b) => {
        const rules = rulesOf('z');
        const tiles = tilesOf(layout);
        const [one, other] = [tiles[a % tiles.length]?.id ?? '', tiles[b % tiles.length]?.id ?? ''];
        const swapped = edit(layout, { type: 'swap', one, other }, rules);
        expect(edit(swapped, { type: 'swap', one: other, other: one }, rules).root).toEqual(layout.root);
      }),
    );
  });

  test('a boundary goes back to where it was', () => {
    fc.assert(
      fc.property(some, fc.nat(20), fc.integer({ min: 1, max: 99 }), (layout, at, size) => {
        const boundaries = boundariesOf(layout);
        const boundary = boundaries[at % Math.max(1, boundaries.length)];
        fc.pre(boundary !== undefined && boundary.size >= leastSize && boundary.most > boundary.size);
        const rules = rulesOf('z');
        const { split, index } = boundary;
        const moved = edit(layout, { type: 'resize', split, index, size }, rules);
        const back = edit(moved, { type: 'resize', split, index, size: boundary.size }, rules);
        expect(back.root).toEqual(layout.root);
      }),
    );
  });

  test('maximising twice and focusing back change nothing', () => {
    fc.assert(
      fc.property(some, fc.constantFrom(...sides), (layout, side) => {
        const rules = rulesOf('z');
        const on = edit(layout, { type: 'maximise', on: !layout.isMaximised }, rules);
        expect(edit(on, { type: 'maximise', on: layout.isMaximised }, rules)).toEqual(layout);
        const tile = neighbourOf(layout, layout.focused, side);
        fc.pre(tile !== undefined);
        const there = edit(layout, { type: 'focus', tile }, rules);
        expect(edit(there, { type: 'focus', tile: layout.focused }, rules).root).toBe(layout.root);
      }),
    );
  });
});

describe('tiles', () => {
  const grid = (): readonly [Layout, LayoutRules] => {
    // a | b
    //   | c
    const rules = rulesOf();
    const right = edit(singleTab('/a', rules), { type: 'split', side: 'right', href: '/b' }, rules);
    return [edit(right, { type: 'split', side: 'down', href: '/c' }, rules), rules];
  };
  const at = (layout: Layout, href: string) =>
    tilesOf(layout).find(({ tabs }) => tabs.some((tab) => tab.href === href))?.id ?? '';
  const focusOn = (layout: Layout, href: string, rules: LayoutRules) =>
    edit(layout, { type: 'focus', tile: at(layout, href) }, rules);

  test('the neighbour at a side is the one that touches there and was shown last', () => {
    const [layout, rules] = grid();
    expect(neighbourOf(layout, at(layout, '/c'), 'up')).toBe(at(layout, '/b'));
    expect(neighbourOf(layout, at(layout, '/c'), 'left')).toBe(at(layout, '/a'));
    expect(neighbourOf(layout, at(layout, '/c'), 'down')).toBeUndefined();
    expect(neighbourOf(layout, at(layout, '/a'), 'right')).toBe(at(layout, '/c'));
    const upper = focusOn(focusOn(layout, '/b', rules), '/a', rules);
    expect(neighbourOf(upper, at(layout, '/a'), 'right')).toBe(at(layout, '/b'));
  });

  test('moving a tile changes places with the one there, at an edge it takes the whole side', () => {
    const [layout, rules] = grid();
    const swapped = edit(layout, moveEdit(layout, 'up'), rules);
    expect(shapeOf(swapped)).toEqual({
      row: ['/a', { column: ['/c*', '/b'], sizes: [50, 50] }],
      sizes: [50, 50],
    });
    const below = edit(layout, moveEdit(layout, 'down'), rules);
    expect(shapeOf(below)).toEqual({
      column: [{ row: ['/a', '/b'], sizes: [50, 50] }, '/c*'],
      sizes: [50, 50],
    });
  });

  test('moving a tab joins the tile there, else makes a tile at that side; a lone tab takes its tile along', () => {
    const [layout, rules] = grid();
    const joined = edit(layout, moveTabEdit(layout, 'left'), rules);
    expect(tilesOf(joined).map(({ tabs }) => tabs.map(({ href }) => href))).toEqual([['/a', '/c'], ['/b']]);
    const apart = edit(joined, moveTabEdit(joined, 'left'), rules);
    expect(shapeOf(apart)).toEqual({ row: ['/c*', '/a', '/b'], sizes: [25, 25, 50] });
    const alone = singleTab('/a', rules);
    expect(edit(alone, moveTabEdit(alone, 'left'), rules)).toBe(alone);
  });

  test('making a tile wider moves the boundary behind it, for the last one the boundary before it', () => {
    const [layout, rules] = grid();
    const wider = resizeEdit(layout, 'row', 5);
    expect(wider === undefined ? [] : boundariesOf(edit(layout, wider, rules))[0]?.size).toBe(45);
    const taller = resizeEdit(layout, 'column', 5);
    expect(taller === undefined ? [] : boundariesOf(edit(layout, taller, rules))[1]?.size).toBe(45);
    const left = focusOn(layout, '/a', rules);
    expect(resizeEdit(left, 'column', 5)).toBeUndefined();
  });

  test('a boundary leaves each side its least size', () => {
    const [layout, rules] = grid();
    const boundary = boundariesOf(layout)[0];
    expect(boundary).toMatchObject({ size: 50, least: leastSize, most: 100 - leastSize });
    const moved = edit(layout, { type: 'resize', split: boundary?.split ?? '', index: 0, size: 300 }, rules);
    expect(boundariesOf(moved)[0]?.size).toBe(100 - leastSize);
  });

  test('putting tiles beside others makes none too narrow or too low', () => {
    const added = fc.tuple(fc.constantFrom(...sides), fc.nat(8), fc.boolean());
    fc.assert(
      fc.property(fc.array(added, { maxLength: tileLimit - 1 }), (splits) => {
        const rules = rulesOf();
        let layout = singleTab('/', rules);
        for (const [index, [side, to, isMove]] of splits.entries()) {
          layout = edit(layout, { type: 'split', side, href: `/${index}` }, rules);
          const tiles = tilesOf(layout);
          const tile = tiles[to % tiles.length]?.id ?? '';
          layout = isMove
            ? edit(layout, { type: 'moveTile', tile: layout.focused, side, beside: tile }, rules)
            : edit(layout, { type: 'focus', tile }, rules);
        }
        for (const { width, height } of placesOf(layout.root).values()) {
          expect(width).toBeGreaterThan(leastShare - 0.2);
          expect(height).toBeGreaterThan(leastShare - 0.2);
        }
      }),
    );
  });

  test('the same size for all is meant of the tiles, not of the splits they are in', () => {
    const [layout, rules] = grid();
    const more = edit(focusOn(layout, '/b', rules), { type: 'split', side: 'right', href: '/d' }, rules);
    const even = edit(more, { type: 'equalise' }, rules);
    const widths = [...placesOf(even.root).values()].map(({ width }) => Math.round(width));
    expect(widths).toEqual([33, 33, 33, 67]);
  });

  test('a ninth tile is refused in words, and a tab that takes its tile along is not one', () => {
    const rules = rulesOf();
    let layout = singleTab('/', rules);
    for (let count = 1; count < tileLimit; count += 1)
      layout = edit(layout, { type: 'split', side: 'right', href: `/${count}` }, rules);
    const lone = focusedTab(layout).id;
    const beside = tilesOf(layout)[0]?.id ?? '';
    expect(lacksRoom(layout, { type: 'split', side: 'down', href: '/more' })).toBe(true);
    expect(lacksRoom(layout, { type: 'placeTab', tab: lone, beside, side: 'down' })).toBe(false);
    expect(lacksRoom(layout, { type: 'placeTab', tab: lone, beside: layout.focused, side: 'down' })).toBe(
      true,
    );
    const two = edit(layout, { type: 'open', href: '/second' }, rules);
    expect(lacksRoom(two, { type: 'placeTab', tab: lone, beside, side: 'down' })).toBe(true);
    expect(lacksRoom(two, { type: 'moveTab', tab: lone, tile: beside })).toBe(false);
  });

  test('a workspace takes eight tiles and no more', () => {
    const rules = rulesOf();
    let layout = singleTab('/', rules);
    for (let count = 1; count < tileLimit; count += 1)
      layout = edit(layout, { type: 'split', side: 'right', href: `/${count}` }, rules);
    expect(tilesOf(layout)).toHaveLength(tileLimit);
    expect(edit(layout, { type: 'split', side: 'down', href: '/more' }, rules)).toBe(layout);
  });

  test('closing a tile focuses the one that had the focus before', () => {
    const [layout, rules] = grid();
    const onA = focusOn(layout, '/a', rules);
    const onB = focusOn(onA, '/b', rules);
    expect(focusedTab(edit(onB, { type: 'closeTile', tile: onB.focused }, rules)).href).toBe('/a');
  });
});
