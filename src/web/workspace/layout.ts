/**
 * The tiles and tabs on screen, as plain data addressed by ids: a tree of groups, of which a group holds tabs.
 * Every change is a pure function of ids and paths.
 */
export interface Tab {
  readonly id: string;
  /** Path with search. */
  readonly href: string;
}

export interface TabGroup {
  readonly id: string;
  readonly tabs: readonly Tab[];
  /** Id of the tab that shows. */
  readonly active: string;
  /** Tab ids, most recently shown first. */
  readonly recent: readonly string[];
}

export interface Layout {
  readonly root: TabGroup;
  /** Id of the focused group. */
  readonly focused: string;
}

/** What the layout needs to know of paths. */
export interface LayoutRules {
  /** What makes two paths the same tab: path, params and `view`. */
  readonly keyOf: (href: string) => string;
  /** What shows when nothing else is left. */
  readonly fallback: () => string;
  readonly newId: () => string;
}

export type Edit =
  /** Opens a path, or activates its tab (whose search then becomes the one asked for). */
  | { readonly type: 'open'; readonly href: string }
  | { readonly type: 'activate'; readonly tab: string }
  | { readonly type: 'close'; readonly tab: string }
  | { readonly type: 'clear' }
  /** The tab's own path or search changed. */
  | { readonly type: 'href'; readonly tab: string; readonly href: string };

/** A layout of one tab. */
export function singleTab(href: string, rules: LayoutRules): Layout {
  const tab: Tab = { id: rules.newId(), href };
  const id = rules.newId();
  return { root: { id, tabs: [tab], active: tab.id, recent: [tab.id] }, focused: id };
}

/** The group that has the focus. */
export const focusedGroup = (layout: Layout): TabGroup => layout.root;

/** The tab that has the focus. */
export function focusedTab(layout: Layout): Tab {
  const group = focusedGroup(layout);
  const tab = group.tabs.find((one) => one.id === group.active) ?? group.tabs[0];
  if (tab === undefined) throw new Error('A tile has no tab.');
  return tab;
}

/** Every tab of the layout. */
export const allTabs = (layout: Layout): readonly Tab[] => layout.root.tabs;

/** Applies one change. Returns the same layout when nothing changes. */
export function edit(layout: Layout, change: Edit, rules: LayoutRules): Layout {
  switch (change.type) {
    case 'open': {
      const key = rules.keyOf(change.href);
      const group = focusedGroup(layout);
      const known = group.tabs.find((tab) => rules.keyOf(tab.href) === key);
      if (known !== undefined) {
        const named = edit(layout, { type: 'href', tab: known.id, href: change.href }, rules);
        return edit(named, { type: 'activate', tab: known.id }, rules);
      }
      const tab: Tab = { id: rules.newId(), href: change.href };
      const at = group.tabs.findIndex((one) => one.id === group.active) + 1;
      const tabs = [...group.tabs.slice(0, at), tab, ...group.tabs.slice(at)];
      return withGroup(layout, show({ ...group, tabs }, tab.id));
    }
    case 'activate': {
      const group = focusedGroup(layout);
      if (group.active === change.tab || !group.tabs.some((tab) => tab.id === change.tab)) return layout;
      return withGroup(layout, show(group, change.tab));
    }
    case 'close': {
      const group = focusedGroup(layout);
      const at = group.tabs.findIndex((tab) => tab.id === change.tab);
      if (at < 0) return layout;
      const tabs = group.tabs.filter((tab) => tab.id !== change.tab);
      if (tabs.length === 0) return edit(layout, { type: 'clear' }, rules);
      const closed: TabGroup = { ...group, tabs, recent: group.recent.filter((id) => id !== change.tab) };
      if (group.active !== change.tab) return withGroup(layout, closed);
      const neighbour = tabs[Math.min(at, tabs.length - 1)];
      return withGroup(layout, show(closed, neighbour?.id ?? ''));
    }
    case 'clear': {
      const { root } = singleTab(rules.fallback(), rules);
      return { root: { ...root, id: layout.root.id }, focused: layout.focused };
    }
    case 'href': {
      const group = focusedGroup(layout);
      const tab = group.tabs.find((one) => one.id === change.tab);
      if (tab === undefined || tab.href === change.href) return layout;
      const key = rules.keyOf(change.href);
      const twin = group.tabs.find((one) => one.id !== change.tab && rules.keyOf(one.href) === key);
      if (twin !== undefined) {
        // One tab per path: the tab that moves onto another's path gives way to it.
        const tabs = group.tabs.filter((one) => one.id !== change.tab);
        const recent = group.recent.filter((id) => id !== change.tab);
        const left = { ...group, tabs, recent };
        return withGroup(layout, group.active === change.tab ? show(left, twin.id) : left);
      }
      const tabs = group.tabs.map((one) => (one.id === change.tab ? { ...one, href: change.href } : one));
      return withGroup(layout, { ...group, tabs });
    }
    default: {
      const never: never = change;
      return never;
    }
  }
}

function show(group: TabGroup, tab: string): TabGroup {
  return { ...group, active: tab, recent: [tab, ...group.recent.filter((id) => id !== tab)] };
}

function withGroup(layout: Layout, group: TabGroup): Layout {
  return { ...layout, root: group, focused: group.id };
}

/** Ids of the tabs whose views stay mounted: the most recently shown ones, at most `limit`. */
export function mountedTabs(layout: Layout, limit: number): ReadonlySet<string> {
  return new Set(layout.root.recent.slice(0, limit));
}
