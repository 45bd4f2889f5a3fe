import type { Workspace } from '../../registry/commands/services.ts';
import type { Cell } from '../core/state/state.ts';
import type { ChosenNamespaces } from './chosen-namespace.ts';
import type { Edit } from './edit.ts';
import type { Layout } from './layout.ts';

/** The state of the workspace: the tiles, and the bare screen (such as sign-in) that covers them, if any. */
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
  /** Reports each later change of the address that `push` and `replace` did not make. */
  listen(on: PlaceListener): void;
  read(): string | null;
  write(text: string): void;
}

/** Called when the browser's address changes. */
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

/** A tab that was closed. */
export interface ClosedTab {
  readonly href: string;
  /** Id of the tile that it was in. */
  readonly tile: string;
  /** Its place among the tabs of that tile. */
  readonly at: number;
}

/** How a change enters the browser's history; `none` for a change that no address shows. */
export type Mode = 'push' | 'replace' | 'none';

/** The workspace with the methods that only the shell uses. */
export interface WorkspaceStore extends Workspace {
  readonly state: Cell<WorkspaceState>;
  /** The path that shows: the bare screen's, else the focused tab's. */
  href(): string;
  /** The whole address: that path, with the other tiles. */
  address(): string;
  /** The namespace in which lists of a cluster are opened; undefined for all of them. */
  namespaceOf(clusterId: number): string | undefined;
  /** The path of a tab; home for one that is gone. */
  hrefOf(tab: string): string;
  /** Cancels the drag that is under way; undefined without one. */
  readonly drag: Cell<(() => void) | undefined>;
  activate(tab: string): void;
  /** Makes one change of the tiles. Throws a Refusal when no more tiles fit. */
  change(what: Edit, mode: Mode): void;
  /** The tab's search changed in place. */
  setHref(tab: string, href: string, mode: 'push' | 'replace'): void;
  /** Replaces the address of the focused tab without a history entry; route guards use it. */
  redirect(href: string): void;
  /** Shows home in a tab whose cluster is unknown or not granted. A tab outside the focused tile stays as it is. */
  sendHome(tab: string): void;
  /** The tabs that were closed and can be opened again, the latest last. */
  closedTabs(): readonly ClosedTab[];
  /** Drops every tab after sign-out. */
  forget(): void;
  /** Runs something that ends every view: at once, or after the person agreed to lose unsaved input. */
  leaveAll(go: () => void): void;
  /** Deselects a cluster that was removed. */
  forgetCluster(clusterId: number): void;
}

/**
 * Called before tabs close or show another address. `go` makes the change: call it at once, or after the person agreed
 * to lose unsaved input.
 * @param isWay whether every tab stays open and only shows another address
 */
export type BeforeClosing = (tabs: readonly string[], go: () => void, isWay: boolean) => void;
