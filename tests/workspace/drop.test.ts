import { describe, expect, test } from 'vitest';
import { dropAt, type TileBox } from '../../src/web/workspace/drop.ts';

const bar = 30;
const tab = (left: number) => ({ left, top: 0, width: 100, height: bar });
const tiles: readonly TileBox[] = [
  { id: 'a', left: 0, top: 0, width: 400, height: 430, bar, tabs: [tab(0), tab(100)] },
  { id: 'b', left: 400, top: 0, width: 400, height: 430, bar, tabs: [tab(400)] },
];
const ofTab = (x: number, y: number) => dropAt(tiles, { type: 'tab', tab: 't' }, x, y)?.edit;
const ofTile = (x: number, y: number) => dropAt(tiles, { type: 'tile', tile: 'a' }, x, y)?.edit;

describe('what letting go means', () => {
  test('among tabs: before the one whose first half is under the pointer, else behind the last', () => {
    expect(ofTab(40, 10)).toMatchObject({ type: 'moveTab', tile: 'a', at: 0 });
    expect(ofTab(60, 10)).toMatchObject({ type: 'moveTab', tile: 'a', at: 1 });
    expect(ofTab(390, 10)).toMatchObject({ type: 'moveTab', tile: 'a', at: 2 });
  });

  test('in the middle of a tile: into it; near an edge: a tile beside it', () => {
    expect(ofTab(600, 230)).toEqual({ type: 'moveTab', tab: 't', tile: 'b' });
    expect(ofTab(410, 230)).toMatchObject({ type: 'placeTab', beside: 'b', side: 'left' });
    expect(ofTab(790, 230)).toMatchObject({ type: 'placeTab', beside: 'b', side: 'right' });
    expect(ofTab(600, 50)).toMatchObject({ type: 'placeTab', beside: 'b', side: 'up' });
    expect(ofTab(600, 420)).toMatchObject({ type: 'placeTab', beside: 'b', side: 'down' });
  });

  test('a tile changes places in the middle of another, moves beside it at an edge, and stays on itself', () => {
    expect(ofTile(600, 230)).toEqual({ type: 'swap', one: 'a', other: 'b' });
    expect(ofTile(600, 420)).toEqual({ type: 'moveTile', tile: 'a', beside: 'b', side: 'down' });
    expect(ofTile(600, 5)).toMatchObject({ type: 'moveTile', side: 'up' });
    expect(ofTile(100, 230)).toBeUndefined();
  });

  test('outside the tiles nothing happens', () => {
    expect(ofTab(-1, 10)).toBeUndefined();
    expect(ofTile(600, 431)).toBeUndefined();
  });
});
