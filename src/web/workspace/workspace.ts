import type { Registry } from '../../registry/registry.ts';
import { ownPath } from '../../registry/path.ts';
import type { Workspace } from '../../registry/services.ts';
import { type Cell, cell } from '../state/state.ts';
import { type Edit, edit, focusedGroup, focusedTab, type Layout, type LayoutRules } from './layout.ts';
import { clusterHome, clusterOf, onCluster, tabKey } from './place.ts';
import { readTabs, restoreLayout, storeTabs } from './stored.ts';

/** What the workspace shows: the tiles, and the bare screen (sign-in and the like) that covers them, if any. */
export interface WorkspaceState {
  readonly layout: Layout;
  /** Address of the screen without chrome that shows instead of the tiles. */
  readonly bare: string | null;
  /** The selected cluster: the one of the tab that was last shown and had one. */
  readonly clusterId: number | undefined;
}

/** The browser's part: its address, its history and the storage of this browser tab. */
export interface BrowserPlace {
  href(): string;
  push(href: string): void;
  replace(href: string): void;
  read(): string | null;
  write(text: string): void;
}

/** The workspace with what only the shell uses. */
export interface WorkspaceStore extends Workspace {
  readonly state: Cell<WorkspaceState>;
  readonly rules: LayoutRules;
  /** The address that shows: the bare screen's, else the focused tab's. */
  href(): string;
  /** The browser's address changed by itself (back, forward). */
  follow(): void;
  activate(tab: string): void;
  /** The tab's search changed in place. */
  setHref(tab: string, href: string, mode: 'push' | 'replace'): void;
  /** Leads elsewhere without a history entry: guards. */
  redirect(href: string): void;
  /** A tab's cluster is unknown or not granted: the tab shows home instead. */
  sendHome(tab: string): void;
  /** Forgets every tab: the person signed out. */
  forget(): void;
  /** The selected cluster is gone. */
  forgetCluster(clusterId: number): void;
}

/** Makes the workspace of this page from its address and what this browser tab had open. */
export function createWorkspace(registry: Registry, browser: BrowserPlace): WorkspaceStore {
  let counter = 0;
  const stored = readTabs(browser.read());
  const isBare = (href: string) => registry.match(href)?.command.bare === true;
  const rules: LayoutRules = {
    keyOf: tabKey,
    fallback: () => clusterHome(registry, store.get().clusterId),
    newId: () => `t${(counter += 1)}`,
  };

  const first = browser.href();
  const opened = isBare(first) ? (stored.hrefs.at(-1) ?? registry.href('home')) : first;
  const initial: WorkspaceState = {
    layout: restoreLayout(
      stored.hrefs.filter((href) => !isBare(href)),
      opened,
      rules,
    ),
    bare: isBare(first) ? first : null,
    clusterId: clusterOf(registry, opened) ?? stored.clusterId,
  };
  const store: Cell<WorkspaceState> = cell(initial);

  browser.write(storeTabs(initial.layout, initial.clusterId));

  const hrefOf = (value: WorkspaceState) => value.bare ?? focusedTab(value.layout).href;

  const commit = (next: WorkspaceState, mode: 'push' | 'replace' | 'none') => {
    const before = store.get();
    const focused = focusedTab(next.layout).href;
    const clusterId = clusterOf(registry, focused) ?? next.clusterId;
    const value = clusterId === next.clusterId ? next : { ...next, clusterId };
    if (mode !== 'none' && (hrefOf(before) !== hrefOf(value) || browser.href() !== hrefOf(value))) {
      browser[mode](hrefOf(value));
    }
    store.set(value);
    browser.write(storeTabs(value.layout, value.clusterId));
  };
  const change = (what: Edit, mode: 'push' | 'replace' | 'none') => {
    const value = store.get();
    const bare = what.type === 'href' ? value.bare : null;
    commit({ ...value, bare, layout: edit(value.layout, what, rules) }, mode);
  };
  const go = (href: string, mode: 'push' | 'replace' | 'none') => {
    const own = ownPath(href);
    if (own === undefined) throw new Error(`${href} is not a path of this console.`);
    if (isBare(own)) commit({ ...store.get(), bare: own }, mode);
    else change({ type: 'open', href: own }, mode);
  };

  return {
    state: store,
    rules,
    href: () => hrefOf(store.get()),
    open: (href) => go(href, 'push'),
    redirect: (href) => go(href, 'replace'),
    follow: () => go(browser.href(), 'none'),
    activate: (tab) => change({ type: 'activate', tab }, 'push'),
    setHref: (tab, href, mode) => {
      const isFocused = focusedTab(store.get().layout).id === tab;
      change({ type: 'href', tab, href }, isFocused ? mode : 'none');
    },
    closeTab: (id) => change({ type: 'close', tab: id ?? focusedTab(store.get().layout).id }, 'push'),
    clearTabs: () => change({ type: 'clear' }, 'push'),
    stepTab: (by) => {
      const group = focusedGroup(store.get().layout);
      const at = group.tabs.findIndex((tab) => tab.id === group.active);
      const next = group.tabs[(at + by + group.tabs.length) % group.tabs.length];
      if (next !== undefined) change({ type: 'activate', tab: next.id }, 'push');
    },
    switchCluster: (clusterId) => {
      const value = store.get();
      const href = onCluster(registry, focusedTab(value.layout).href, clusterId);
      const layout = edit(value.layout, { type: 'clear' }, { ...rules, fallback: () => href });
      commit({ layout, bare: null, clusterId }, 'push');
    },
    sendHome: (tab) => {
      const isFocused = focusedTab(store.get().layout).id === tab;
      const value = store.get();
      const gone = value.layout.root.tabs.find((one) => one.id === tab);
      const lost = gone === undefined ? undefined : clusterOf(registry, gone.href);
      const layout = edit(value.layout, { type: 'href', tab, href: registry.href('home') }, rules);
      commit(
        { ...value, layout, clusterId: lost === value.clusterId ? undefined : value.clusterId },
        isFocused && value.bare === null ? 'replace' : 'none',
      );
    },
    forget: () => {
      const layout = edit(
        store.get().layout,
        { type: 'clear' },
        { ...rules, fallback: () => registry.href('home') },
      );
      commit({ ...store.get(), layout, clusterId: undefined }, 'none');
    },
    forgetCluster: (clusterId) => {
      const value = store.get();
      if (value.clusterId === clusterId) commit({ ...value, clusterId: undefined }, 'none');
    },
  };
}
