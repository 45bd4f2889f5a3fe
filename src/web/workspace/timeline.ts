import type { Registry } from '../../registry/commands/registry.ts';
import { type Cell, observed } from '../core/state/state.ts';
import type { AddressReader } from './address-reader.ts';
import type { ClosedTabs } from './closed-tabs.ts';
import { afterShowing, type NamespaceParts } from './chosen-namespace.ts';
import { allTabs, focusedTab, type LayoutRules, tabById } from './layout.ts';
import { addressOf } from './link.ts';
import { clusterOf, isSameView } from './place.ts';
import { showAddress } from './restore.ts';
import { storeTabs } from './stored.ts';
import type { BeforeClosing, BrowserPlace, Mode, WorkspaceState } from './workspace-store.ts';

/** Inputs of a timeline. */
export interface TimelineParts {
  readonly registry: Registry;
  readonly browser: BrowserPlace;
  readonly addresses: AddressReader;
  readonly namespaces: NamespaceParts;
  readonly rules: LayoutRules;
  readonly beforeClosing: BeforeClosing;
  readonly closed: Pick<ClosedTabs, 'note'>;
}

/** The path that a state shows: the bare screen's, else the focused tab's. */
export const pathOf = ({ bare, layout }: WorkspaceState): string => bare ?? focusedTab(layout).href;

/** The whole address of a state. */
export const wholeAddress = (state: WorkspaceState): string =>
  state.bare ?? addressOf(state.layout, pathOf(state));

/** Tabs whose views one state has and the next has not: closed, covered by a bare screen, or at another address. */
function lostTabs(before: WorkspaceState, next: WorkspaceState): readonly string[] {
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
 * The state of the workspace over time, kept equal to the browser's address, its history and the storage of this
 * browser tab. A change by the person asks first where a view would lose unsaved input.
 */
export class Timeline {
  readonly state: Cell<WorkspaceState>;
  readonly #parts: TimelineParts;

  constructor(parts: TimelineParts, initial: WorkspaceState) {
    this.#parts = parts;
    this.state = observed(initial);
    parts.browser.write(storeTabs(initial));
  }

  /** Makes a state the present one, with the cluster and the namespace that its focused tab selects. */
  commit(next: WorkspaceState, mode: Mode): void {
    const { registry, browser, namespaces: parts } = this.#parts;
    const focused = focusedTab(next.layout).href;
    const clusterId = clusterOf(registry, focused) ?? next.clusterId;
    const namespaces = afterShowing(parts, next.namespaces, focused);
    const isSame = clusterId === next.clusterId && namespaces === next.namespaces;
    const state = isSame ? next : { ...next, clusterId, namespaces };
    const address = wholeAddress(state);
    if (mode !== 'none' && browser.href() !== address) browser[mode](address);
    this.state.set(state);
    browser.write(storeTabs(state));
  }

  /** Commits a change. One that the person makes (`push`) asks first where a view would be lost. */
  attempt(change: (state: WorkspaceState) => WorkspaceState, mode: Mode): void {
    const before = this.state.get();
    const next = change(before);
    const lost = mode === 'push' ? lostTabs(before, next) : [];
    const make = (from: WorkspaceState, to: WorkspaceState) => {
      this.#parts.closed.note(from.layout, to.layout);
      this.commit(to, mode);
    };
    if (lost.length === 0) make(before, next);
    else
      this.#parts.beforeClosing(
        lost,
        // The state may have changed while the person was asked.
        () => {
          const now = this.state.get();
          make(now, now === before ? next : change(now));
        },
        lost.every((tab) => tabById(next.layout, tab) !== undefined),
      );
  }

  /** The present state once the browser is at an address. Throws an Error where it leads elsewhere. */
  at(address: string): WorkspaceState {
    const { addresses, rules } = this.#parts;
    const { path, shown } = addresses.readOwn(address);
    const state = this.state.get();
    return addresses.isBare(path)
      ? { ...state, bare: path }
      : { ...state, bare: null, layout: showAddress(state.layout, shown, rules) };
  }

  /** Follows Back and Forward; `redirect` takes the address that the router put in the place of the present one. */
  follow(redirect: (href: string) => void): void {
    const { browser } = this.#parts;
    browser.listen({
      // A move that was refused ends at the address where it began.
      moved: () => {
        const address = browser.href();
        if (address !== wholeAddress(this.state.get())) this.commit(this.at(address), 'none');
      },
      replaced: redirect,
      mayMove: (href, go) => this.#mayMove(href, go),
    });
  }

  #mayMove(href: string, go: () => void): boolean {
    const lost = lostTabs(this.state.get(), this.at(href));
    if (lost.length === 0) return true;
    let isAsking = true;
    let isAllowed = false;
    const allow = () => {
      if (isAsking) isAllowed = true;
      else go();
    };
    this.#parts.beforeClosing(lost, allow, true);
    isAsking = false;
    return isAllowed;
  }
}
