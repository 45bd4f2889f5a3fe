import {
  allTabs,
  focusedGroup,
  groupOfTab,
  type Layout,
  type LayoutRules,
  singleTab,
  tilesOf,
} from './layout.ts';
import {
  groupsOf,
  mapGroups,
  type Opener,
  outerOpener,
  type Tab,
  type TabGroup,
  withoutGroup,
} from './tree.ts';

/** Changes of tabs; those of tiles are beside this file. */
export type TabEdit =
  /** Opens a path, or activates its tab (whose search then becomes the one asked for). */
  | {
      readonly type: 'open';
      readonly href: string;
      readonly isInTile?: boolean;
      /** Where it is opened from. */
      readonly opener?: Opener | undefined;
    }
  /** Shows the view again that a tab showed before its present one. */
  | { readonly type: 'back'; readonly tab: string }
  | { readonly type: 'activate'; readonly tab: string }
  | { readonly type: 'close'; readonly tab: string }
  /** Closes the other tabs of the tab's tile. */
  | { readonly type: 'closeOthers'; readonly tab: string }
  /** A second tab with the address of a tab, beside it. */
  | { readonly type: 'duplicate'; readonly tab: string }
  | { readonly type: 'clear' }
  /** The tab's own path or search changed. */
  | { readonly type: 'href'; readonly tab: string; readonly href: string }
  /** Puts a tab among those of a tile, before the one that stands at `at` there now; behind the last without. */
  | { readonly type: 'moveTab'; readonly tab: string; readonly tile: string; readonly at?: number };

/** The layout with one tile replaced. */
export function withGroup(layout: Layout, group: TabGroup): Layout {
  const root = mapGroups(layout.root, (one) => (one.id === group.id ? group : one));
  return root === layout.root ? layout : { ...layout, root };
}

/** The tab of a tile that has a path; a duplicate only where no other has it. */
const twinOf = (group: Pick<TabGroup, 'tabs'>, href: string, keyOf: LayoutRules['keyOf']) => {
  const twins = group.tabs.filter((tab) => keyOf(tab.href) === keyOf(href));
  return twins.find(({ isDuplicate }) => isDuplicate !== true) ?? twins[0];
};

/**
 * Looks in the focused tile, then in the others unless `isInTile`; else the path becomes a tab beside the active one. A
 * tab that shows this very view comes before one that shows another view of the object; with `isInTile` no tab changes
 * its view.
 */
export function open(
  layout: Layout,
  {
    href,
    isInTile = false,
    opener,
  }: { readonly href: string; readonly isInTile?: boolean; readonly opener?: Opener | undefined },
  rules: LayoutRules,
): Layout {
  const focused = focusedGroup(layout);
  const others = isInTile ? [] : tilesOf(layout).filter((group) => group !== focused);
  const twin = (keyOf: LayoutRules['keyOf']) => {
    for (const group of [focused, ...others]) {
      const known = twinOf(group, href, keyOf);
      if (known !== undefined) return known;
    }
    return undefined;
  };
  const sameView = twin(rules.viewOf);
  const known = sameView ?? (isInTile ? undefined : twin(rules.keyOf));
  if (known !== undefined) {
    const shown = activate(setHref(layout, { tab: known.id, href }, rules), known.id);
    return opener === undefined ? shown : withOpener(shown, known.id, opener, rules);
  }
  const tab: Tab = {
    id: rules.newId(),
    href,
    ...(opener === undefined ? {} : { opener }),
    ...(twinOf(focused, href, rules.keyOf) === undefined ? {} : { isDuplicate: true }),
  };
  const at = focused.tabs.findIndex((one) => one.id === focused.active) + 1;
  const tabs = [...focused.tabs.slice(0, at), tab, ...focused.tabs.slice(at)];
  return withGroup(layout, { ...focused, tabs, active: tab.id });
}

/** Notes where a tab was opened from this time; not where that would lead back to the tab itself. */
function withOpener(layout: Layout, id: string, opener: Opener, rules: LayoutRules): Layout {
  const tabs = allTabs(layout);
  const own = tabs.find((tab) => tab.id === id);
  if (own !== undefined && opener.tab === id)
    return withTab(layout, { ...own, opener: openerInTab(own, opener, rules) });
  const seen = new Set<string>();
  for (let at: string | undefined = opener.tab; at !== undefined && !seen.has(at); ) {
    if (at === id) return layout;
    seen.add(at);
    const tab = tabs.find((one) => one.id === at);
    at = tab === undefined ? undefined : outerOpener(tab)?.tab;
  }
  return own === undefined ? layout : withTab(layout, { ...own, opener });
}

/** Where a tab leads back to that changed its view. A view that the way passes already ends it there: it has no rings. */
function openerInTab(tab: Tab, opener: Opener, rules: LayoutRules): Opener | undefined {
  for (let at = tab.opener; at?.tab === tab.id; at = at.opener)
    if (rules.viewOf(at.href) === rules.viewOf(tab.href)) return at.opener;
  return { ...opener, ...(tab.opener === undefined ? {} : { opener: tab.opener }) };
}

/** The layout with another state of a tab. */
function withTab(
  layout: Layout,
  { opener, ...tab }: Omit<Tab, 'opener'> & { readonly opener: Opener | undefined },
): Layout {
  const next: Tab = opener === undefined ? tab : { ...tab, opener };
  const root = mapGroups(layout.root, (group) =>
    group.tabs.some(({ id }) => id === tab.id)
      ? { ...group, tabs: group.tabs.map((one) => (one.id === tab.id ? next : one)) }
      : group,
  );
  return { ...layout, root };
}

/** A tab that shows by itself the view that it came from leads on to where that came from. */
export function returned(layout: Layout, id: string, rules: LayoutRules): Layout {
  const tab = allTabs(layout).find((one) => one.id === id);
  const before = tab?.opener;
  if (tab === undefined || before?.tab !== id || rules.viewOf(before.href) !== rules.viewOf(tab.href))
    return layout;
  return withTab(layout, { ...tab, opener: before.opener });
}

/** Shows the view again that a tab showed before its present one; nothing where it was opened with that. */
export function back(layout: Layout, id: string): Layout {
  const tab = allTabs(layout).find((one) => one.id === id);
  const before = tab?.opener;
  if (tab === undefined || before?.tab !== id) return layout;
  return withTab(layout, { ...tab, href: before.href, opener: before.opener });
}

/** Shows a tab and focuses its tile. */
export function activate(layout: Layout, id: string): Layout {
  const group = groupOfTab(layout, id);
  if (group === undefined) return layout;
  const shown = group.active === id ? layout : withGroup(layout, { ...group, active: id });
  return shown.focused === group.id ? shown : { ...shown, focused: group.id };
}

/** Closes a tab: its neighbour shows, the last one takes its tile with it, and the last of all gives way to the fallback. */
export function closeTab(layout: Layout, id: string, rules: LayoutRules): Layout {
  const group = groupOfTab(layout, id);
  if (group === undefined) return layout;
  return withoutTab(layout, group, id) ?? clear(layout, rules);
}

/** Closes the other tabs of a tab's tile and shows the tab. */
export function closeOthers(layout: Layout, id: string): Layout {
  const group = groupOfTab(layout, id);
  if (group === undefined) return layout;
  const tabs = group.tabs.filter((tab) => tab.id === id);
  return activate(
    tabs.length === group.tabs.length ? layout : withGroup(layout, { ...group, tabs, active: id }),
    id,
  );
}

/** A way back whose views of one tab are those of another. */
function renamedOpener(opener: Opener | undefined, from: string, to: string): Opener | undefined {
  if (opener?.tab !== from) return opener;
  const next = renamedOpener(opener.opener, from, to);
  return { tab: to, href: opener.href, ...(next === undefined ? {} : { opener: next }) };
}

/** Puts a second tab of the same address beside a tab, and shows it. */
export function duplicate(layout: Layout, id: string, rules: LayoutRules): Layout {
  const group = groupOfTab(layout, id);
  const at = group?.tabs.findIndex((tab) => tab.id === id) ?? -1;
  const tab = group?.tabs[at];
  if (group === undefined || tab === undefined) return layout;
  const newId = rules.newId();
  const opener = renamedOpener(tab.opener, id, newId);
  const second: Tab = {
    ...tab,
    id: newId,
    ...(opener === undefined ? {} : { opener }),
    isDuplicate: true,
  };
  const tabs = group.tabs.toSpliced(at + 1, 0, second);
  return { ...withGroup(layout, { ...group, tabs, active: second.id }), focused: group.id };
}

/** The layout without a tab; nothing when it was the last one. */
export function withoutTab(layout: Layout, group: TabGroup, id: string): Layout | undefined {
  const at = group.tabs.findIndex((tab) => tab.id === id);
  const tabs = group.tabs.filter((tab) => tab.id !== id);
  if (tabs.length === 0) return withoutTile(layout, group.id);
  const neighbour = tabs[Math.min(at, tabs.length - 1)];
  return withGroup(layout, {
    ...group,
    tabs,
    active: group.active === id ? (neighbour?.id ?? '') : group.active,
  });
}

/** The layout without a tile; the focus goes to the tile that had it before. Nothing when it was the last one. */
export function withoutTile(layout: Layout, id: string): Layout | undefined {
  const root = withoutGroup(layout.root, id);
  if (root === undefined) return undefined;
  if (layout.focused !== id) return { ...layout, root };
  const others = groupsOf(root);
  const last = layout.recent.find((tab) => others.some((group) => group.active === tab));
  const heir = others.find((group) => group.active === last) ?? others[0];
  return { ...layout, root, focused: heir?.id ?? '', isMaximised: false };
}

/** Closes everything: one tile with the fallback. */
export function clear(layout: Layout, rules: LayoutRules): Layout {
  const fresh = singleTab(rules.fallback(), rules);
  return { ...fresh, root: { ...focusedGroup(fresh), id: layout.focused }, focused: layout.focused };
}

/** A tab's own address changed. One tab per path in a tile: the tab that moves onto another's path gives way to it. */
export function setHref(
  layout: Layout,
  { tab: id, href }: { readonly tab: string; readonly href: string },
  rules: LayoutRules,
): Layout {
  const group = groupOfTab(layout, id);
  const tab = group?.tabs.find((one) => one.id === id);
  if (group === undefined || tab === undefined || tab.href === href) return layout;
  const rivals = group.tabs.filter((one) => one.id !== id && one.isDuplicate !== true);
  // Two tabs of one path stay two while each of them only changes its search.
  const isSamePath = tab.isDuplicate === true && rules.keyOf(tab.href) === rules.keyOf(href);
  const twin = isSamePath ? undefined : twinOf({ tabs: rivals }, href, rules.keyOf);
  if (twin !== undefined) {
    const tabs = group.tabs.filter((one) => one.id !== id);
    return withGroup(layout, { ...group, tabs, active: group.active === id ? twin.id : group.active });
  }
  const tabs = group.tabs.map((one) => (one.id === id ? { ...one, href } : one));
  return withGroup(layout, { ...group, tabs });
}

/** A tab that comes to others: a second one where they have another view of its object. */
export function asSecond(tab: Tab, others: readonly Tab[], rules: LayoutRules): Tab {
  const hasOther = twinOf({ tabs: others }, tab.href, rules.keyOf) !== undefined;
  return hasOther ? { ...tab, isDuplicate: true } : tab;
}

/** Moves a tab among the tabs of a tile and shows it there; a tab of the same path that is there gives way to it. */
export function moveTab(
  layout: Layout,
  { tab: id, tile, at }: { readonly tab: string; readonly tile: string; readonly at?: number },
  rules: LayoutRules,
): Layout {
  const from = groupOfTab(layout, id);
  const tab = from?.tabs.find((one) => one.id === id);
  const to = tilesOf(layout).find((group) => group.id === tile);
  if (from === undefined || tab === undefined || to === undefined) return layout;
  const place = at ?? to.tabs.length;
  const view = rules.viewOf(tab.href);
  const isTwin = (one: Tab) =>
    rules.viewOf(one.href) === view && one.isDuplicate !== true && tab.isDuplicate !== true;
  const stays = (one: Tab) => one.id !== id && !isTwin(one);
  const put = asSecond(tab, to.tabs.filter(stays), rules);
  const tabs = [...to.tabs.slice(0, place).filter(stays), put, ...to.tabs.slice(place).filter(stays)];
  const isSame = from === to && tabs.every((one, index) => one === to.tabs[index]);
  const left = from === to ? layout : withoutTab(layout, from, id);
  if (left === undefined) return layout;
  const moved = isSame && to.active === id ? left : withGroup(left, { ...to, tabs, active: id });
  return moved.focused === to.id ? moved : { ...moved, focused: to.id };
}
