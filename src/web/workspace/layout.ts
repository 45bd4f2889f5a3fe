import { groupsOf, type LayoutNode, type Tab, type TabGroup } from './tree.ts';

/** The state of the screen: tiles, the focused one, and the order in which tabs were shown. */
export interface Layout {
  readonly root: LayoutNode;
  /** Id of the focused tile. */
  readonly focused: string;
  /** Whether the focused tile covers the others. */
  readonly isMaximised: boolean;
  /** Ids of every tab that was shown, most recently shown first. */
  readonly recent: readonly string[];
}

/** Facts about paths that the layout needs. */
export interface LayoutRules {
  /** The identity of a tab: path and params, with all views of an object in one. */
  readonly keyOf: (href: string) => string;
  /** The identity of what a tab shows: path, params and `view`. */
  readonly viewOf: (href: string) => string;
  /** The path that is shown when no tab is left. */
  readonly fallback: () => string;
  readonly newId: () => string;
}

/** Tiles at once, at most: each of them keeps a view mounted. */
export const tileLimit = 8;

/** A layout of one tab. */
export function singleTab(href: string, rules: LayoutRules): Layout {
  const tab: Tab = { id: rules.newId(), href };
  const id = rules.newId();
  return {
    root: { type: 'group', id, tabs: [tab], active: tab.id },
    focused: id,
    isMaximised: false,
    recent: [tab.id],
  };
}

/** Every tile, in reading order. */
export const tilesOf = (layout: Layout): readonly TabGroup[] => groupsOf(layout.root);

/** The tile that has the focus. */
export function focusedGroup(layout: Layout): TabGroup {
  const tiles = tilesOf(layout);
  const group = tiles.find((one) => one.id === layout.focused) ?? tiles[0];
  if (group === undefined) throw new Error('A workspace has a tile.');
  return group;
}

/** The tab of a tile that shows. */
export function activeTab(group: TabGroup): Tab {
  const tab = group.tabs.find((one) => one.id === group.active) ?? group.tabs[0];
  if (tab === undefined) throw new Error('A tile has no tab.');
  return tab;
}

/** The tab that has the focus. */
export const focusedTab = (layout: Layout): Tab => activeTab(focusedGroup(layout));

/** Every tab of the workspace, tile by tile. */
export const allTabs = (layout: Layout): readonly Tab[] => tilesOf(layout).flatMap((group) => group.tabs);

/** A tab by its id. */
export const tabById = (layout: Layout, id: string): Tab | undefined =>
  allTabs(layout).find((tab) => tab.id === id);

/** The tile of a tab. */
export const groupOfTab = (layout: Layout, id: string): TabGroup | undefined =>
  tilesOf(layout).find((group) => group.tabs.some((tab) => tab.id === id));

/**
 * Ids of the tabs whose views stay mounted: those that show and those that hold something, then the most recently shown
 * ones, at most `limit`.
 * @param held tabs whose views would lose something
 */
export function mountedTabs(
  layout: Layout,
  limit: number,
  held: Pick<ReadonlySet<string>, 'has'>,
): ReadonlySet<string> {
  const shown = tilesOf(layout).map((group) => group.active);
  const kept = new Set([...shown, ...layout.recent.filter((id) => held.has(id))]);
  return new Set([...new Set([...kept, ...layout.recent])].slice(0, Math.max(limit, kept.size)));
}

/** The layout after a change: what shows is noted as shown, what is gone is forgotten. */
export function noted(layout: Layout): Layout {
  const known = new Set(allTabs(layout).map((tab) => tab.id));
  const shown = tilesOf(layout).map((group) => group.active);
  const focused = focusedGroup(layout).active;
  const recent = [...new Set([focused, ...layout.recent, ...shown].filter((id) => known.has(id)))];
  const isSame =
    recent.length === layout.recent.length && recent.every((id, index) => id === layout.recent[index]);
  const isMaximised = layout.isMaximised && layout.root.type === 'split';
  return isSame && isMaximised === layout.isMaximised ? layout : { ...layout, recent, isMaximised };
}
