import { activeTab, type Layout, type LayoutRules, noted, tilesOf } from './layout.ts';
import type { LinkedTiles, ShownNode } from './link.ts';
import { asSecond, withGroup } from './tabs.ts';
import { type LayoutNode, makeSplit, type Opener, type Tab, type TabGroup } from './tree.ts';

type ShownTile = Extract<ShownNode, { readonly type: 'tile' }>;

const tilesIn = (node: ShownNode): readonly ShownTile[] =>
  node.type === 'tile' ? [node] : node.children.flatMap(tilesIn);

/**
 * The layout an address asks for, made of what is there: tiles and tabs that are shown already stay the same ones, so
 * that their views stay mounted. Tabs that show nowhere any more go to the background of the focused tile.
 */
export function showAddress(layout: Layout, shown: LinkedTiles, rules: LayoutRules): Layout {
  const wanted = tilesIn(shown.root);
  const groups = [...tilesOf(layout)];
  const keyOf = (tab: Tab) => rules.keyOf(tab.href);

  // Who takes which place: a tile that shows the path, else one that has it as a tab, else whichever is left.
  const chosen = new Map<ShownTile, TabGroup>();
  const choose = (fits: (group: TabGroup, key: string) => boolean) => {
    for (const tile of wanted) {
      if (chosen.has(tile)) continue;
      const at = groups.findIndex((group) => fits(group, rules.keyOf(tile.href)));
      const group = groups[at];
      if (group === undefined) continue;
      chosen.set(tile, group);
      groups.splice(at, 1);
    }
  };
  choose((group, key) => keyOf(activeTab(group)) === key);
  choose((group, key) => group.tabs.some((tab) => keyOf(tab) === key));
  choose(() => true);

  const homeless = groups.flatMap((group) => group.tabs);
  const ownOf = (tile: ShownTile) =>
    chosen.get(tile)?.tabs.find((tab) => keyOf(tab) === rules.keyOf(tile.href));
  const taken = new Set(wanted.flatMap((tile) => ownOf(tile)?.id ?? []));
  let focused = '';
  const built = new Map<ShownTile, TabGroup>();
  for (const tile of wanted) {
    const key = rules.keyOf(tile.href);
    const group = chosen.get(tile);
    const own = ownOf(tile);
    // A tab in the background of another tile is taken from there, with its view.
    const spare =
      own ?? [...homeless, ...background(chosen)].find((tab) => keyOf(tab) === key && !taken.has(tab.id));
    const tab: Tab = { ...(spare ?? { id: rules.newId() }), href: tile.href };
    taken.add(tab.id);
    const rest = group?.tabs ?? [];
    const at = rest.findIndex((one) => one.id === group?.active) + 1;
    const tabs =
      own === undefined
        ? [...rest.slice(0, at), tab, ...rest.slice(at)]
        : rest.map((one) => (one === own ? tab : one));
    const id = group?.id ?? rules.newId();
    if (tile.isFocused) focused = id;
    built.set(tile, { type: 'group', id, tabs, active: tab.id });
  }

  const build = (node: ShownNode): LayoutNode => {
    if (node.type === 'tile') {
      const group = built.get(node);
      if (group === undefined) throw new Error('A tile of an address has no place.');
      return { ...group, tabs: group.tabs.filter((tab) => tab.id === group.active || !taken.has(tab.id)) };
    }
    const parts = node.children.map((child, index) => ({ node: build(child), size: node.sizes[index] ?? 0 }));
    return makeSplit(rules.newId(), node.direction, parts);
  };
  const root = withIdsOf(layout.root, build(shown.root));
  const next = { root, focused, isMaximised: shown.isMaximised, recent: layout.recent };
  return noted(
    withTabs(
      next,
      homeless.filter((tab) => !taken.has(tab.id)),
      rules,
    ),
  );
}

const background = (chosen: ReadonlyMap<ShownTile, TabGroup>): readonly Tab[] =>
  [...chosen.values()].flatMap((group) => group.tabs.filter((tab) => tab.id !== group.active));

/** Adds tabs behind those of the focused tile, except those of a path that is there. */
export function withTabs(layout: Layout, tabs: readonly Tab[], rules: LayoutRules): Layout {
  return tabs.reduce((before, tab) => {
    const group = tilesOf(before).find((one) => one.id === before.focused);
    if (group === undefined) return before;
    if (group.tabs.some((one) => rules.viewOf(one.href) === rules.viewOf(tab.href))) return before;
    return withGroup(before, { ...group, tabs: [...group.tabs, asSecond(tab, group.tabs, rules)] });
  }, layout);
}

/** Gives splits the ids of those in the same place before, so that a boundary being held stays the same one. */
function withIdsOf(before: LayoutNode, after: LayoutNode): LayoutNode {
  if (before.type !== 'split' || after.type !== 'split') return after;
  const isAlike = before.direction === after.direction && before.children.length === after.children.length;
  if (!isAlike) return after;
  const children = after.children.map((child, index) => withIdsOf(before.children[index] ?? child, child));
  return { ...after, id: before.id, children };
}

/** A tab as it is stored. */
export interface StoredTab {
  readonly href: string;
  /** The addresses of its way back, the nearest first. */
  readonly way: readonly string[];
  readonly isDuplicate?: true;
}
/** The tabs a browser tab had open, tile by tile. */
export type StoredTiles = readonly (readonly StoredTab[])[];

function tabFromStored({ href, way, isDuplicate }: StoredTab, rules: LayoutRules): Tab {
  const id = rules.newId();
  const key = rules.keyOf(href);
  const opener = way.reduceRight<Opener | undefined>(
    (next, place) => ({
      tab: rules.keyOf(place) === key ? id : '',
      href: place,
      ...(next === undefined ? {} : { opener: next }),
    }),
    undefined,
  );
  return {
    id,
    href,
    ...(isDuplicate === undefined ? {} : { isDuplicate }),
    ...(opener === undefined ? {} : { opener }),
  };
}

/**
 * The layout of a page load. The address wins: what it shows is shown. Tabs that were stored come back in their tile
 * while there are as many tiles as then, else in the focused one.
 */
export function restoreLayout(stored: StoredTiles, shown: LinkedTiles, rules: LayoutRules): Layout {
  const wanted = tilesIn(shown.root);
  const isSame = stored.length === wanted.length;
  const built = new Map(
    wanted.map((tile, index): readonly [ShownTile, TabGroup] => {
      const kept = isSame ? (stored[index] ?? []) : tile.isFocused ? stored.flat() : [];
      const tabs: Tab[] = [];
      for (const one of kept) {
        const key = rules.keyOf(one.href);
        const isTwin = one.isDuplicate !== true && tabs.some((tab) => rules.keyOf(tab.href) === key);
        if (!isTwin) tabs.push(tabFromStored(one, rules));
      }
      const key = rules.keyOf(tile.href);
      const at = tabs.findIndex((tab) => rules.keyOf(tab.href) === key);
      const tab: Tab = { ...(tabs[at] ?? { id: rules.newId() }), href: tile.href };
      tabs.splice(at < 0 ? tabs.length : at, at < 0 ? 0 : 1, tab);
      return [tile, { type: 'group', id: rules.newId(), tabs, active: tab.id }];
    }),
  );
  let focused = '';
  const build = (node: ShownNode): LayoutNode => {
    if (node.type === 'split')
      return makeSplit(
        rules.newId(),
        node.direction,
        node.children.map((child, index) => ({ node: build(child), size: node.sizes[index] ?? 0 })),
      );
    const group = built.get(node);
    if (group === undefined) throw new Error('A tile of an address has no place.');
    if (node.isFocused) focused = group.id;
    return group;
  };
  const root = build(shown.root);
  return noted({ root, focused, isMaximised: shown.isMaximised, recent: [] });
}
