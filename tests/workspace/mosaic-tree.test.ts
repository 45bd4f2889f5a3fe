import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { edit } from '../../src/web/workspace/edit.ts';
import { type Layout, singleTab, tilesOf } from '../../src/web/workspace/layout.ts';
import { dropEdit, nodeAt, placeAmong, resizeOf, toMosaic } from '../../src/web/workspace/mosaic-tree.ts';
import { namesOf, type TileNames } from '../../src/web/workspace/tile-names.ts';
import { change, run, rulesOf, some } from './layouts.ts';

const ids = (layout: Layout) => tilesOf(layout).map(({ id }) => id);
/** Two tiles beside each other, the second one focused. */
const rules = rulesOf();
const two = edit(singleTab('/a', rules), { type: 'split', side: 'right', href: '/b' }, rules);
const [first = '', second = ''] = ids(two);
const ofTab = (drop: Parameters<typeof dropEdit>[2]) => dropEdit(two, { type: 'tab', tab: 't' }, drop);
const ofTile = (drop: Parameters<typeof dropEdit>[2]) => dropEdit(two, { type: 'tile', tile: first }, drop);

describe('the edit for a drop', () => {
  test('among tabs: before the one whose first half is under the pointer, else behind the last', () => {
    const tabs = [
      { left: 0, width: 100 },
      { left: 100, width: 100 },
    ];
    expect(placeAmong(tabs, 40)).toBe(0);
    expect(placeAmong(tabs, 60)).toBe(1);
    expect(placeAmong(tabs, 390)).toBe(2);
    expect(ofTab({ tile: first, at: 1 })).toEqual({ type: 'moveTab', tab: 't', tile: first, at: 1 });
    expect(ofTile({ tile: second, at: 1 })).toBeUndefined();
  });

  test('in the middle of a tile: into it; near an edge: a tile beside it', () => {
    expect(ofTab({ path: [1], swap: true })).toEqual({ type: 'moveTab', tab: 't', tile: second });
    for (const [position, side] of [
      ['left', 'left'],
      ['right', 'right'],
      ['top', 'up'],
      ['bottom', 'down'],
    ] as const)
      expect(ofTab({ path: [1], position })).toEqual({ type: 'placeTab', tab: 't', beside: second, side });
  });

  test('a tile changes places in the middle of another, moves beside it at an edge, and stays on itself', () => {
    expect(ofTile({ path: [1], swap: true })).toEqual({ type: 'swap', one: first, other: second });
    expect(ofTile({ path: [1], position: 'bottom' })).toEqual({
      type: 'moveTile',
      tile: first,
      beside: second,
      side: 'down',
    });
    expect(ofTile({ path: [0], position: 'left' })).toBeUndefined();
    expect(ofTile({ path: [0], swap: true })).toBeUndefined();
  });

  test('at an edge of the workspace a tile goes to that edge, and a tab stays', () => {
    expect(ofTile({ path: [], position: 'top' })).toEqual({ type: 'moveTile', tile: first, side: 'up' });
    expect(ofTab({ path: [], position: 'top' })).toBeUndefined();
  });

  test('a place that is gone by now changes nothing', () => {
    expect(ofTab({ path: [7], swap: true })).toBeUndefined();
    expect(ofTile({ path: [0, 0], position: 'left' })).toBeUndefined();
  });
});

describe('the names that tiles are drawn by', () => {
  const order = (names: TileNames) =>
    [...names].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([id]) => id);

  test('sort as the tiles are read, whatever was done, and only tiles that moved past others get new ones', () => {
    fc.assert(
      fc.property(some, fc.array(change, { maxLength: 20 }), (start, changes) => {
        const own = rulesOf('u');
        let layout = start;
        let names = namesOf(new Map(), ids(layout));
        for (const one of changes) {
          const before = ids(layout);
          layout = run(layout, one, own);
          const next = namesOf(names, ids(layout));
          expect(order(next)).toEqual(ids(layout));
          const stayed = ids(layout).filter((id) => before.includes(id));
          const isSameOrder = stayed.every(
            (id, at) => id === before.filter((was) => stayed.includes(was))[at],
          );
          if (isSameOrder) for (const id of stayed) expect(next.get(id)).toBe(names.get(id));
          names = next;
        }
      }),
    );
  });

  test('stay the same names for the same tiles, and give all new ones where no room is left between two', () => {
    const names = namesOf(new Map(), ['a', 'b']);
    expect(namesOf(names, ['a', 'b'])).toBe(names);
    let crowded = names;
    const line = ['a', 'b'];
    for (let count = 0; count < 60; count += 1) {
      line.splice(1, 1, `n${count}`, ...line.slice(1, 2));
      line.splice(3);
      crowded = namesOf(crowded, line);
      expect(order(crowded)).toEqual(line);
    }
  });
});

describe('the tree of Mosaic', () => {
  test('has a leaf for each tile, by name, at the path that leads to the tile', () => {
    fc.assert(
      fc.property(some, (layout) => {
        const names = namesOf(new Map(), ids(layout));
        const seen: string[] = [];
        const walk = (node: ReturnType<typeof toMosaic>, path: readonly number[]): void => {
          const own = nodeAt(layout.root, [...path]);
          if (typeof node === 'string') {
            expect(own?.type === 'group' && names.get(own.id)).toBe(node);
            seen.push(node);
          } else if (node.type === 'split') {
            expect(own).toMatchObject({ type: 'split', direction: node.direction });
            node.children.forEach((child, index) => walk(child, [...path, index]));
          }
        };
        walk(toMosaic(layout.root, names), []);
        expect(seen).toHaveLength(ids(layout).length);
      }),
    );
  });

  test('finds the boundary that new sizes move, and none while they are the old ones', () => {
    if (two.root.type !== 'split') throw new Error('Two tiles are a split.');
    const split = { ...two.root, sizes: [20, 30, 50] };
    expect(resizeOf(split, [20, 40, 40])).toEqual({ split: split.id, index: 1, size: 40 });
    expect(resizeOf(split, [20.001, 29.999, 50])).toBeUndefined();
  });
});
