import { groupOfTab, type Layout, type LayoutRules, noted, tileLimit, tilesOf } from './layout.ts';
import {
  activate,
  back,
  clear,
  closeOthers,
  closeTab,
  duplicate,
  moveTab,
  open,
  returned,
  setHref,
  type TabEdit,
} from './tabs.ts';
import {
  closeTile,
  equalise,
  focusTile,
  maximise,
  moveTile,
  placeTab,
  resize,
  splitTile,
  swapTiles,
  type TileEdit,
} from './tiles.ts';

/** One change of the workspace. */
export type Edit = TabEdit | TileEdit;

/** The message for one tile too many. */
export const fullText = `At most ${tileLimit} tiles fit. Close one first.`;

/** Whether a change needs one tile more than the workspace takes. */
export function lacksRoom(layout: Layout, change: Edit): boolean {
  if (tilesOf(layout).length < tileLimit) return false;
  if (change.type === 'split') return true;
  if (change.type !== 'placeTab') return false;
  // A lone tab takes its tile along, unless it is put beside itself.
  const from = groupOfTab(layout, change.tab);
  return from !== undefined && (from.tabs.length > 1 || from.id === change.beside);
}

/** Applies one change. Returns the same layout when nothing changes. */
export function edit(layout: Layout, change: Edit, rules: LayoutRules): Layout {
  return noted(apply(layout, change, rules));
}

function apply(layout: Layout, change: Edit, rules: LayoutRules): Layout {
  switch (change.type) {
    case 'open':
      return open(layout, change, rules);
    case 'back':
      return back(layout, change.tab);
    case 'activate':
      return activate(layout, change.tab);
    case 'close':
      return closeTab(layout, change.tab, rules);
    case 'closeOthers':
      return closeOthers(layout, change.tab);
    case 'duplicate':
      return duplicate(layout, change.tab, rules);
    case 'clear':
      return clear(layout, rules);
    case 'href':
      return returned(setHref(layout, change, rules), change.tab, rules);
    case 'moveTab':
      return moveTab(layout, change, rules);
    case 'placeTab':
      return placeTab(layout, change, rules);
    case 'split':
      return splitTile(layout, change, rules);
    case 'closeTile':
      return closeTile(layout, change.tile, rules);
    case 'focus':
      return focusTile(layout, change.tile);
    case 'swap':
      return swapTiles(layout, change);
    case 'moveTile':
      return moveTile(layout, change, rules);
    case 'resize':
      return resize(layout, change);
    case 'equalise':
      return equalise(layout);
    case 'maximise':
      return maximise(layout, change.on);
    default: {
      const never: never = change;
      return never;
    }
  }
}
