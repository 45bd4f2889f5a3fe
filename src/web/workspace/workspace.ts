import type { Target } from '../../registry/command.ts';
import { splitHref } from '../../registry/path.ts';
import { Refusal } from '../../registry/refusal.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Workspace } from '../../registry/services.ts';
import { type Cell, cell, observed } from '../core/state/state.ts';
import { type Edit, edit, fullText, lacksRoom } from './edit.ts';
import { createKnownKinds } from '../core/kinds/known.ts';
import {
  afterChoosing,
  afterShowing,
  type ChosenNamespaces,
  inChosenNamespace,
  type NamespaceParts,
} from './chosen-namespace.ts';
import { neighbourOf } from './geometry.ts';
import {
  allTabs,
  focusedGroup,
  focusedTab,
  groupOfTab,
  type Layout,
  type LayoutRules,
  tabById,
  tilesOf,
} from './layout.ts';
import { addressOf, placeOf, type Shown, shownBy } from './link.ts';
import { clusterHome, clusterOf, isSameView, onCluster, tabKey } from './place.ts';
import { restoreLayout, showAddress } from './restore.ts';
import { parseSearch } from './search.ts';
import { readTabs, storeTabs } from './stored.ts';
import { moveEdit, moveTabEdit, resizeEdit } from './tile-moves.ts';
import type { Opener, Tab } from './tree.ts';

/** What the workspace shows: the tiles, and the bare screen (sign-in and the like) that covers them, if any. */
export interface WorkspaceState {
  readonly layout: Layout;
  /** Address of the screen without chrome that shows instead of the tiles. */
  readonly bare: string | null;
  /** The selected cluster: the one of the tab that was last shown and had one. */
  readonly clusterId: number | undefined;
  /** The namespace last chosen on each cluster: the next list opens with it. */
  readonly namespaces: ChosenNamespaces;
}

/** The browser's part: its address, its history and the storage of this browser tab. */
export interface BrowserPlace {
  href(): string;
  push(href: string): void;
  replace(href: string): void;
  /** Tells from now on of everything that happens to the address and is not of `push` and `replace`. */
  listen(on: PlaceListener): void;
  read(): string | null;
  write(text: string): void;
}

/** What is told of the browser's address. */
export interface PlaceListener {
  /** Back or Forward led to another entry. */
  moved(): void;
  /** A guard led elsewhere, or the router wrote the same address another way: the present entry has this address now. */
  replaced(href: string): void;
  /**
   * Whether Back or Forward may lead to an address now. Otherwise the browser stays where it is; `go` moves it there
   * without another question.
   */
  mayMove(href: string, go: () => void): boolean;
}

/** How a change enters the browser's history; `none` is for what no address shows. */
export type Mode = 'push' | 'replace' | 'none';

/** The workspace with what only the shell uses. */
export interface WorkspaceStore extends Workspace {
  readonly state: Cell<WorkspaceState>;
  /** The path that shows: the bare screen's, else the focused tab's. */
  href(): string;
  /** The whole address: that path, with the other tiles. */
  address(): string;
  /** The path of a tab; home for one that is gone. */
  hrefOf(tab: string): string;
  /** How to give up the drag that is under way, if one is. */
  readonly drag: Cell<(() => void) | undefined>;
  activate(tab: string): void;
  /** One change of the tiles, as pointer and boundaries make it. Throws a Refusal when no more tiles fit. */
  change(what: Edit, mode: Mode): void;
  /** The tab's search changed in place. */
  setHref(tab: string, href: string, mode: 'push' | 'replace'): void;
  /** Leads elsewhere without a history entry, in the place of the tab that showed: guards. */
  redirect(href: string): void;
  /** A tab's cluster is unknown or not granted: a tab of the focused tile shows home instead, in other tiles it stays. */
  sendHome(tab: string): void;
  /** Forgets every tab: the person signed out. */
  forget(): void;
  /** Does what ends every view, now or once it is said that what they hold may go. */
  leaveAll(go: () => void): void;
  /** The selected cluster is gone. */
  forgetCluster(clusterId: number): void;
}

/**
 * Told of tabs that somebody is about to close or to lead elsewhere; `go` does it, now or once it is said that what they
 * hold may go.
 * @param isWay whether it is a way to another place, which they are not closed for
 */
export type BeforeClosing = (tabs: readonly string[], go: () => void, isWay: boolean) => void;

/** Tabs whose views one state has and another has not: closed, covered by a bare screen, or led to another address. */
function lostBy(before: WorkspaceState, next: WorkspaceState): readonly string[] {
  const hrefs = new Map(allTabs(next.layout).map(({ id, href }) => [id, href]));
  const isKept = (id: string, href: string) => {
    const now = hrefs.get(id);
    return now !== undefined && isSameView(now, href);
  };
  return allTabs(before.layout)
    .filter(({ id, href }) => (before.bare === null && next.bare !== null) || !isKept(id, href))
    .map(({ id }) => id);
}

/**
 * Makes the workspace of this page from its address and what this browser tab had open.
 * @param known what is known of kinds and namespaces by now
 */
export function createWorkspace(
  registry: Registry,
  browser: BrowserPlace,
  closing: BeforeClosing = (_, go) => go(),
  known: Omit<NamespaceParts, 'registry'> = { kinds: createKnownKinds() },
): WorkspaceStore {
  const parts: NamespaceParts = { registry, ...known };
  let counter = 0;
  const stored = readTabs(browser.read());
  const isBare = (href: string) => registry.match(href)?.command.bare === true;
  const rules: LayoutRules = {
    keyOf: tabKey,
    fallback: () => clusterHome(registry, store.get().clusterId),
    newId: () => `t${(counter += 1)}`,
  };
  const tile = (href: string): Shown => ({
    root: { type: 'tile', href, isFocused: true },
    isMaximised: false,
  });
  /** What an address shows; screens without chrome are never in a tile. */
  const read = (address: string): Shown | undefined => {
    const shown = shownBy(address);
    const hasBare = (node: Shown['root']): boolean =>
      node.type === 'tile' ? isBare(node.href) : node.children.some(hasBare);
    return shown !== undefined && shown.root.type === 'split' && hasBare(shown.root)
      ? tile(placeOf(address) ?? registry.href('home'))
      : shown;
  };

  const first = browser.href();
  const kept = stored.tiles.map((tabs) => tabs.filter(({ href }) => !isBare(href)));
  const initialShown = isBare(first)
    ? tile(kept.flat().at(-1)?.href ?? registry.href('home'))
    : (read(first) ?? tile(registry.href('home')));
  const layout = restoreLayout(kept, initialShown, rules);
  const initial: WorkspaceState = {
    layout,
    bare: isBare(first) ? first : null,
    clusterId: clusterOf(registry, focusedTab(layout).href) ?? stored.clusterId,
    namespaces: afterShowing(parts, stored.namespaces ?? {}, focusedTab(layout).href),
  };
  const store: Cell<WorkspaceState> = observed(initial);
  browser.write(storeTabs(initial));

  const layoutNow = () => store.get().layout;
  const hrefOf = (value: WorkspaceState) => value.bare ?? focusedTab(value.layout).href;
  const address = (value: WorkspaceState) => value.bare ?? addressOf(value.layout, hrefOf(value));
  const isShown = (value: WorkspaceState, tab: string) => groupOfTab(value.layout, tab)?.active === tab;

  const commit = (next: WorkspaceState, mode: Mode) => {
    const focused = focusedTab(next.layout).href;
    const clusterId = clusterOf(registry, focused) ?? next.clusterId;
    const namespaces = afterShowing(parts, next.namespaces, focused);
    const isSame = clusterId === next.clusterId && namespaces === next.namespaces;
    const value = isSame ? next : { ...next, clusterId, namespaces };
    if (mode !== 'none' && browser.href() !== address(value)) browser[mode](address(value));
    store.set(value);
    browser.write(storeTabs(value));
  };
  /** Commits what a person does, which asks first where something would be lost; what happens by itself does not ask. */
  const attempt = (make: (value: WorkspaceState) => WorkspaceState, mode: Mode) => {
    const value = store.get();
    const next = make(value);
    const lost = mode === 'push' ? lostBy(value, next) : [];
    if (lost.length === 0) commit(next, mode);
    else
      closing(
        lost,
        () => commit(store.get() === value ? next : make(store.get()), mode),
        lost.every((tab) => tabById(next.layout, tab) !== undefined),
      );
  };
  const change = (what: Edit, mode: Mode) => {
    if (lacksRoom(layoutNow(), what)) throw new Refusal(fullText);
    attempt(
      (value) => ({
        ...value,
        bare: what.type === 'href' ? value.bare : null,
        layout: edit(value.layout, what, rules),
      }),
      mode,
    );
  };
  /** Shows what an address asks for. */
  const shownIn = (value: WorkspaceState, shown: Shown): WorkspaceState => ({
    ...value,
    bare: null,
    layout: showAddress(value.layout, shown, rules),
  });
  /** Where the page of an object is opened from, to lead back there. To anything else is a change of place. */
  const openerOf = (href: string): Opener | undefined => {
    const { layout: present, bare } = store.get();
    const from = focusedTab(present);
    // Logs of several pods have the path of their list.
    const hasTool = parseSearch(splitHref(href).search).view !== undefined;
    const isWayIn = bare === null && (hasTool || registry.match(href)?.command.shows === 'object');
    return isWayIn && tabKey(from.href) !== tabKey(href) ? { tab: from.id, href: from.href } : undefined;
  };
  const go = (href: string, mode: Mode, target: Target = 'here') => {
    const shown = read(href);
    const own = placeOf(href);
    if (own === undefined || shown === undefined) throw new Error(`${href} is not a path of this console.`);
    if (isBare(own)) attempt((value) => ({ ...value, bare: own }), mode);
    else if (shown.root.type === 'split' && target === 'here')
      attempt((value) => shownIn(value, shown), mode);
    else {
      const opener = mode === 'push' ? openerOf(own) : undefined;
      if (target === 'split-right' || target === 'split-down') {
        change({ type: 'split', href: own, side: target === 'split-right' ? 'right' : 'down', opener }, mode);
      } else change({ type: 'open', href: own, isInTile: target === 'new-tab', opener }, mode);
    }
  };
  const redirect = (href: string) => {
    const own = placeOf(href);
    const { bare, layout: present } = store.get();
    // Where nobody may be is no place to keep a tab of. A screen without chrome covers the tabs, which stay.
    if (own !== undefined && own === href && bare === null && !isBare(own))
      change({ type: 'href', tab: focusedTab(present).id, href: own }, 'replace');
    else go(href, 'replace');
  };
  /** What the workspace shows once the browser is at an address. */
  const at = (href: string): WorkspaceState => {
    const own = placeOf(href);
    const shown = read(href);
    if (shown === undefined || own === undefined) throw new Error(`${href} is not a path of this console.`);
    const value = store.get();
    return isBare(own) ? { ...value, bare: own } : shownIn(value, shown);
  };
  browser.listen({
    // A move that was not allowed ends where it began.
    moved: () => {
      if (browser.href() !== address(store.get())) commit(at(browser.href()), 'none');
    },
    // The other tiles are known; what is led elsewhere is the focused one.
    replaced: (href) => redirect(placeOf(href) ?? href),
    mayMove: (href, leave) => {
      const lost = lostBy(store.get(), at(href));
      if (lost.length === 0) return true;
      let isAsking = true;
      let isAllowed = false;
      closing(
        lost,
        () => {
          if (isAsking) isAllowed = true;
          else leave();
        },
        true,
      );
      isAsking = false;
      return isAllowed;
    },
  });
  const drag = cell<(() => void) | undefined>(undefined);

  return {
    state: store,
    href: () => hrefOf(store.get()),
    address: () => address(store.get()),
    hrefOf: (tab) => tabById(layoutNow(), tab)?.href ?? registry.href('home'),
    drag,
    cancelDrag: () => drag.get()?.(),
    open: (href, target) => go(href, 'push', target),
    redirect,
    change,
    activate: (tab) => change({ type: 'activate', tab }, 'push'),
    setHref: (tab, href, mode) =>
      change({ type: 'href', tab, href }, isShown(store.get(), tab) ? mode : 'none'),
    leave: () => {
      const present = layoutNow();
      const { id, opener } = focusedTab(present);
      if (opener === undefined) return false;
      const key = tabKey(opener.href);
      const fits = (tab: Tab | undefined): tab is Tab =>
        tab !== undefined && tab.id !== id && tabKey(tab.href) === key;
      const known = [tabById(present, opener.tab), ...focusedGroup(present).tabs, ...allTabs(present)].find(
        fits,
      );
      change(
        known === undefined ? { type: 'open', href: opener.href } : { type: 'activate', tab: known.id },
        'push',
      );
      return true;
    },
    closeTab: (id) => change({ type: 'close', tab: id ?? focusedTab(layoutNow()).id }, 'push'),
    showLast: () => {
      const [, last] = layoutNow().recent;
      if (last !== undefined) change({ type: 'activate', tab: last }, 'push');
      return last !== undefined;
    },
    clearTabs: () => change({ type: 'clear' }, 'push'),
    stepTab: (by) => {
      const group = focusedGroup(layoutNow());
      const at = group.tabs.findIndex((tab) => tab.id === group.active);
      const next = group.tabs[(at + by + group.tabs.length) % group.tabs.length];
      if (next !== undefined) change({ type: 'activate', tab: next.id }, 'push');
    },
    split: (side) => {
      const { href, opener } = focusedTab(layoutNow());
      change({ type: 'split', side, href, opener }, 'push');
    },
    closeTile: () => change({ type: 'closeTile', tile: focusedGroup(layoutNow()).id }, 'push'),
    focusTile: (side) => {
      const found = neighbourOf(layoutNow(), layoutNow().focused, side);
      if (found !== undefined) change({ type: 'focus', tile: found }, 'replace');
    },
    stepTile: (by) => {
      const tiles = tilesOf(layoutNow());
      const at = tiles.findIndex((one) => one.id === layoutNow().focused);
      const next = tiles[(at + by + tiles.length) % tiles.length];
      if (next !== undefined) change({ type: 'focus', tile: next.id }, 'replace');
    },
    moveTile: (side) => change(moveEdit(layoutNow(), side), 'push'),
    moveTab: (side) => change(moveTabEdit(layoutNow(), side), 'push'),
    resizeTile: (direction, by) => {
      const what = resizeEdit(layoutNow(), direction, by);
      if (what !== undefined) change(what, 'replace');
    },
    equaliseTiles: () => change({ type: 'equalise' }, 'replace'),
    toggleMaximised: () => change({ type: 'maximise', on: !layoutNow().isMaximised }, 'replace'),
    inChosenNamespace: (href) => inChosenNamespace(parts, store.get().namespaces, href),
    chooseNamespace: (clusterId, name) =>
      commit(
        { ...store.get(), namespaces: afterChoosing(store.get().namespaces, { clusterId, name }) },
        'none',
      ),
    switchCluster: (clusterId) =>
      attempt(({ layout: present }) => {
        const href = onCluster(registry, focusedTab(present).href, clusterId);
        const cleared = edit(present, { type: 'clear' }, { ...rules, fallback: () => href });
        return { layout: cleared, bare: null, clusterId, namespaces: {} };
      }, 'push'),
    sendHome: (tab) => {
      const value = store.get();
      const gone = tabById(value.layout, tab);
      if (gone === undefined || groupOfTab(value.layout, tab)?.id !== value.layout.focused) return;
      const lost = clusterOf(registry, gone.href);
      const next = edit(value.layout, { type: 'href', tab, href: registry.href('home') }, rules);
      commit(
        { ...value, layout: next, clusterId: lost === value.clusterId ? undefined : value.clusterId },
        value.bare === null ? 'replace' : 'none',
      );
    },
    forget: () => {
      const home = () => registry.href('home');
      const next = edit(layoutNow(), { type: 'clear' }, { ...rules, fallback: home });
      commit({ ...store.get(), layout: next, clusterId: undefined, namespaces: {} }, 'none');
    },
    leaveAll: (leave) =>
      closing(
        allTabs(layoutNow()).map(({ id }) => id),
        leave,
        false,
      ),
    forgetCluster: (clusterId) => {
      const value = store.get();
      if (value.clusterId === clusterId) commit({ ...value, clusterId: undefined }, 'none');
    },
  };
}
