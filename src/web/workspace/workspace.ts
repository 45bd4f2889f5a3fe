import type { Target } from '../../registry/commands/invocation.ts';
import { splitHref } from '../../registry/path.ts';
import { Refusal } from '../../registry/commands/refusal.ts';
import type { Registry } from '../../registry/commands/registry.ts';
import type { TileSide } from '../../registry/commands/services.ts';
import { type Cell, cell } from '../core/state/state.ts';
import { createKnownKinds } from '../core/kinds/known.ts';
import { AddressReader, singleTile } from './address-reader.ts';
import {
  afterChoosing,
  afterShowing,
  inChosenNamespace,
  namespaceIn,
  type NamespaceParts,
} from './chosen-namespace.ts';
import { type Edit, edit, fullText, lacksRoom } from './edit.ts';
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
import { consolePath } from './link.ts';
import { parentOf } from './parent.ts';
import { clusterHome, clusterOf, onCluster, tabKey, viewKey } from './place.ts';
import { restoreLayout } from './restore.ts';
import { parseSearch } from './search.ts';
import { readTabs } from './stored.ts';
import { moveEdit, moveTabEdit, resizeEdit } from './tile-moves.ts';
import { pathOf, Timeline, wholeAddress } from './timeline.ts';
import { type Opener, outerOpener, type Tab } from './tree.ts';
import { ClosedTabs } from './closed-tabs.ts';
import type {
  BeforeClosing,
  BrowserPlace,
  ClosedTab,
  Mode,
  WorkspaceState,
  WorkspaceStore,
} from './workspace-store.ts';

/** Inputs of a workspace. */
export interface WorkspaceParts {
  readonly registry: Registry;
  readonly browser: BrowserPlace;
  /** Closes at once without it. */
  readonly beforeClosing?: BeforeClosing;
  /** Whether the view of a tab has nothing left to show; none by default. */
  readonly isEnded?: (tab: string) => boolean;
  /** The known kinds and namespaces; none by default. */
  readonly known?: Omit<NamespaceParts, 'registry'>;
}

/** The workspace of this page, made from its address and from the tabs that this browser tab had open. */
export class TiledWorkspace implements WorkspaceStore {
  readonly drag: Cell<(() => void) | undefined> = cell<(() => void) | undefined>(undefined);
  readonly #registry: Registry;
  readonly #addresses: AddressReader;
  readonly #namespaces: NamespaceParts;
  readonly #beforeClosing: BeforeClosing;
  readonly #isEnded: (tab: string) => boolean;
  readonly #rules: LayoutRules;
  readonly #timeline: Timeline;
  readonly #closed = new ClosedTabs();
  #lastTab = 0;

  constructor({
    registry,
    browser,
    beforeClosing = (_, go) => go(),
    isEnded = () => false,
    known,
  }: WorkspaceParts) {
    this.#registry = registry;
    this.#addresses = new AddressReader(registry);
    this.#namespaces = { registry, ...(known ?? { kinds: createKnownKinds() }) };
    this.#beforeClosing = beforeClosing;
    this.#isEnded = isEnded;
    const stored = readTabs(browser.read());
    // Set once the first layout is there, which asks for the home of the cluster that was stored.
    let timeline: Timeline | undefined;
    this.#rules = {
      keyOf: (href) => tabKey(registry, href),
      viewOf: viewKey,
      fallback: () => clusterHome(registry, (timeline?.state.get() ?? stored).clusterId),
      newId: () => `t${(this.#lastTab += 1)}`,
    };
    timeline = new Timeline(
      {
        registry,
        browser,
        addresses: this.#addresses,
        namespaces: this.#namespaces,
        rules: this.#rules,
        beforeClosing,
        closed: this.#closed,
      },
      this.#initialState(browser.href(), stored),
    );
    this.#timeline = timeline;
    // The address that the router wrote names the focused tile only; the other tiles stay as they are.
    timeline.follow((href) => this.redirect(consolePath(href) ?? href));
  }

  get state(): Cell<WorkspaceState> {
    return this.#timeline.state;
  }

  href(): string {
    return pathOf(this.state.get());
  }

  address(): string {
    return wholeAddress(this.state.get());
  }

  hrefOf(tab: string): string {
    return tabById(this.#layout, tab)?.href ?? this.#registry.href('home');
  }

  open(href: string, target?: Target): void {
    this.#go(href, 'push', target);
  }

  redirect(href: string): void {
    const { bare, layout } = this.state.get();
    const isTabPath = consolePath(href) === href && !this.#addresses.isBare(href);
    // The tab that the person may not see goes. A screen without chrome covers the tabs, which stay.
    if (isTabPath && bare === null)
      this.change({ type: 'href', tab: focusedTab(layout).id, href }, 'replace');
    else this.#go(href, 'replace');
  }

  change(what: Edit, mode: Mode): void {
    if (lacksRoom(this.#layout, what)) throw new Refusal(fullText);
    const apply = (state: WorkspaceState): WorkspaceState => ({
      ...state,
      bare: what.type === 'href' ? state.bare : null,
      layout: edit(state.layout, what, this.#rules),
    });
    this.#timeline.attempt(apply, mode);
  }

  activate(tab: string): void {
    this.change({ type: 'activate', tab }, 'push');
  }

  setHref(tab: string, href: string, mode: 'push' | 'replace'): void {
    const isShown = groupOfTab(this.#layout, tab)?.active === tab;
    this.change({ type: 'href', tab, href }, isShown ? mode : 'none');
  }

  leave(): boolean {
    const layout = this.#layout;
    const { id, href, opener } = focusedTab(layout);
    if (this.#isEnded(id)) {
      const from = tabById(layout, outerOpener(focusedTab(layout))?.tab ?? '');
      if (from !== undefined) this.change({ type: 'activate', tab: from.id }, 'replace');
      this.closeTab(id);
      return true;
    }
    if (opener === undefined) {
      const parent = parentOf(this.#registry, href);
      if (parent === undefined) return false;
      if (splitHref(parent).pathname === splitHref(href).pathname) this.setHref(id, parent, 'push');
      else this.change({ type: 'open', href: parent }, 'push');
      return true;
    }
    if (opener.tab === id) {
      this.change({ type: 'back', tab: id }, 'push');
      return true;
    }
    const key = viewKey(opener.href);
    const shows = (tab: Tab | undefined): tab is Tab =>
      tab !== undefined && tab.id !== id && viewKey(tab.href) === key;
    const present = [tabById(layout, opener.tab), ...focusedGroup(layout).tabs, ...allTabs(layout)].find(
      shows,
    );
    if (present === undefined) this.change({ type: 'open', href: opener.href }, 'push');
    else this.activate(present.id);
    return true;
  }

  closeTab(id: string = focusedTab(this.#layout).id): void {
    this.change({ type: 'close', tab: id }, 'push');
  }

  closeOthers(id: string = focusedTab(this.#layout).id): void {
    this.change({ type: 'closeOthers', tab: id }, 'push');
  }

  closedTabs(): readonly ClosedTab[] {
    return this.#closed.all;
  }

  reopenTab(): boolean {
    const last = this.#closed.take();
    if (last === undefined) return false;
    const { href, tile, at } = last;
    this.change({ type: 'open', href }, 'push');
    const { id } = focusedTab(this.#layout);
    const group = tilesOf(this.#layout).find((one) => one.id === tile);
    if (group === undefined) return true;
    // The places are counted with the tab where it is now.
    const now = group.tabs.findIndex((tab) => tab.id === id);
    const place = now >= 0 && now < at ? at + 1 : at;
    this.change({ type: 'moveTab', tab: id, tile, at: place }, 'replace');
    return true;
  }

  duplicateTab(): void {
    this.change({ type: 'duplicate', tab: focusedTab(this.#layout).id }, 'push');
  }

  clearTabs(): void {
    this.change({ type: 'clear' }, 'push');
  }

  showLast(): boolean {
    const [, last] = this.#layout.recent;
    if (last !== undefined) this.activate(last);
    return last !== undefined;
  }

  stepTab(by: number): void {
    const { tabs, active } = focusedGroup(this.#layout);
    const next = neighbour(tabs, active, by);
    if (next !== undefined) this.activate(next.id);
  }

  split(side: TileSide): void {
    const { href, opener } = focusedTab(this.#layout);
    this.change({ type: 'split', side, href, opener }, 'push');
  }

  closeTile(): void {
    this.change({ type: 'closeTile', tile: this.#layout.focused }, 'push');
  }

  focusTile(side: TileSide): void {
    this.#focus(neighbourOf(this.#layout, this.#layout.focused, side));
  }

  stepTile(by: number): void {
    this.#focus(neighbour(tilesOf(this.#layout), this.#layout.focused, by)?.id);
  }

  moveTile(side: TileSide): void {
    this.change(moveEdit(this.#layout, side), 'push');
  }

  moveTab(side: TileSide): void {
    this.change(moveTabEdit(this.#layout, side), 'push');
  }

  resizeTile(direction: 'row' | 'column', by: number): void {
    const what = resizeEdit(this.#layout, direction, by);
    if (what !== undefined) this.change(what, 'replace');
  }

  equaliseTiles(): void {
    this.change({ type: 'equalise' }, 'replace');
  }

  toggleMaximised(): void {
    this.change({ type: 'maximise', on: !this.#layout.isMaximised }, 'replace');
  }

  cancelDrag(): void {
    this.drag.get()?.();
  }

  inChosenNamespace(href: string): string {
    return inChosenNamespace(this.#namespaces, this.state.get().namespaces, href);
  }

  namespaceOf(clusterId: number): string | undefined {
    return namespaceIn(this.#namespaces, this.state.get().namespaces, clusterId);
  }

  chooseNamespace(clusterId: number, name: string | undefined): void {
    const state = this.state.get();
    const namespaces = afterChoosing(state.namespaces, { clusterId, name });
    this.#timeline.commit({ ...state, namespaces }, 'none');
  }

  switchCluster(clusterId: number): void {
    // Choosing the cluster that shows already changes nothing, so it closes nothing.
    if (clusterOf(this.#registry, focusedTab(this.#layout).href) === clusterId) return;
    this.#timeline.attempt(({ layout }) => {
      const href = onCluster(this.#registry, focusedTab(layout).href, clusterId);
      return { layout: this.#cleared(layout, href), bare: null, clusterId, namespaces: {} };
    }, 'push');
  }

  sendHome(tab: string): void {
    const { bare, layout, ...others } = this.state.get();
    const lost = tabById(layout, tab);
    if (lost === undefined || groupOfTab(layout, tab)?.id !== layout.focused) return;
    const href = this.#registry.href('home');
    const isSelected = clusterOf(this.#registry, lost.href) === others.clusterId;
    this.#timeline.commit(
      {
        ...others,
        bare,
        layout: edit(layout, { type: 'href', tab, href }, this.#rules),
        clusterId: isSelected ? undefined : others.clusterId,
      },
      bare === null ? 'replace' : 'none',
    );
  }

  forget(): void {
    const state = this.state.get();
    this.#closed.forget();
    const layout = this.#cleared(state.layout, this.#registry.href('home'));
    this.#timeline.commit({ ...state, layout, clusterId: undefined, namespaces: {} }, 'none');
  }

  leaveAll(go: () => void): void {
    const tabs = allTabs(this.#layout).map(({ id }) => id);
    this.#beforeClosing(tabs, go, false);
  }

  forgetCluster(clusterId: number): void {
    const state = this.state.get();
    if (state.clusterId === clusterId) this.#timeline.commit({ ...state, clusterId: undefined }, 'none');
  }

  get #layout(): Layout {
    return this.state.get().layout;
  }

  #initialState(address: string, stored: ReturnType<typeof readTabs>): WorkspaceState {
    const home = this.#registry.href('home');
    const isBare = this.#addresses.isBare(address);
    const tiles = stored.tiles.map((tabs) => tabs.filter(({ href }) => !this.#addresses.isBare(href)));
    const shown = isBare
      ? singleTile(tiles.flat().at(-1)?.href ?? home)
      : (this.#addresses.read(address)?.shown ?? singleTile(home));
    const layout = restoreLayout(tiles, shown, this.#rules);
    const { href } = focusedTab(layout);
    return {
      layout,
      bare: isBare ? address : null,
      clusterId: clusterOf(this.#registry, href) ?? stored.clusterId,
      namespaces: afterShowing(this.#namespaces, stored.namespaces ?? {}, href),
    };
  }

  /** Leads to an address of this console. Throws an Error for any other. */
  #go(address: string, mode: Mode, target: Target = 'here'): void {
    const { path, shown } = this.#addresses.readOwn(address);
    const isWhole = this.#addresses.isBare(path) || (shown.root.type === 'split' && target === 'here');
    if (isWhole) {
      this.#timeline.attempt(() => this.#timeline.at(address), mode);
      return;
    }
    const opener = mode === 'push' ? this.#openerOf(path) : undefined;
    if (target === 'split-right' || target === 'split-down') {
      const side = target === 'split-right' ? 'right' : 'down';
      this.change({ type: 'split', href: path, side, opener }, mode);
    } else this.change({ type: 'open', href: path, isInTile: target === 'new-tab', opener }, mode);
  }

  /** The tab that opens an object or a tool, to lead back there; undefined for any other address. */
  #openerOf(href: string): Opener | undefined {
    const { bare } = this.state.get();
    const from = focusedTab(this.#layout);
    // Logs of several pods have the path of their list.
    const hasTool = parseSearch(splitHref(href).search).view !== undefined;
    const hasOpener = bare === null && (hasTool || this.#registry.match(href)?.command.shows === 'object');
    return hasOpener && viewKey(from.href) !== viewKey(href) ? { tab: from.id, href: from.href } : undefined;
  }

  #focus(tile: string | undefined): void {
    if (tile !== undefined) this.change({ type: 'focus', tile }, 'replace');
  }

  /** The layout with one tab, which shows an address. */
  #cleared(layout: Layout, href: string): Layout {
    return edit(layout, { type: 'clear' }, { ...this.#rules, fallback: () => href });
  }
}

/** The entry `by` steps after the one with an id, round the end. */
function neighbour<T extends { readonly id: string }>(all: readonly T[], id: string, by: number) {
  const at = all.findIndex((one) => one.id === id);
  return all[(at + by + all.length) % all.length];
}
