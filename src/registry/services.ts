import type { Api } from '../contract/api.ts';
import type { Client } from '../contract/endpoint.ts';
import type { ObjectRef, Target } from './command.ts';

/** What a call may carry besides its arguments. */
export interface CallOptions {
  readonly signal?: { readonly aborted: boolean };
}

/** The tiles and tabs on screen. */
export interface Workspace {
  /** Opens a path of this console; an open one is activated. */
  open(href: string, target?: Target): void;
  /** Closes a tab, the focused one without an id. */
  closeTab(id?: string): void;
  /** Closes every tab and shows the selected cluster, or home. */
  clearTabs(): void;
  /** Moves to the neighbouring tab; -1 is left. */
  stepTab(by: number): void;
  /** The person's change of cluster: clears namespace and tabs, same route on the new cluster. */
  switchCluster(clusterId: number): void;
}

export interface ToastOptions {
  /** Under the title: the object and its cluster, before that a line for each failure. */
  readonly detail?: string;
  /** Milliseconds; Infinity keeps it until dismissed. */
  readonly duration?: number;
}

/** Short messages over the page. */
export interface Toaster {
  success(title: string, options?: ToastOptions): void;
  error(title: string, options?: ToastOptions): void;
  warning(title: string, options?: ToastOptions): void;
  info(title: string, options?: ToastOptions): void;
}

/** Who is signed in. */
export interface Session {
  /** Signs out; the page forgets the person even when the server cannot be reached. */
  logout(): Promise<void>;
}

export type Theme = 'system' | 'light' | 'dark';

/** How the page looks, kept in this browser. */
export interface Appearance {
  toggleSidebar(): void;
  setTheme(theme: Theme): void;
  theme(): Theme;
}

/** The list in the focused view, if it shows one. */
export interface FocusedList {
  /** Moves the cursor by rows; ±Infinity goes to an end. */
  moveCursor(by: number): void;
  /** Moves by a screenful; -1 is up. */
  movePage(by: number): void;
  openRow(target: Target): void;
  focusFilter(): void;
  /** Leaves the filter, then clears it. */
  escape(): void;
  retry(): void;
  /** Sorts again after the order was held. */
  settle(): void;
  /** Sorts by the column so many headings further; before the first is worst first. */
  stepSort(by: number): void;
  /** Turns the order around. */
  turnSort(): void;
  /** Selects the row under the cursor, or no more. */
  toggleRow(): void;
  /** Selects every row that shows, or none where all are. */
  toggleAll(): void;
  /** Shows the columns of the wide table, or no more. */
  toggleWide(): void;
}

/** Objects of clusters: their pages and what can be done on them. */
export interface ObjectWork {
  /** Opens the page of an object, or one of its tools (`yaml`, `logs`). */
  open(ref: ObjectRef, target?: Target, view?: string): void;
  /** Does an action on objects: asks for arguments and confirmation first where it has to. Rejects with a Problem. */
  act(actionId: string, refs: readonly [ObjectRef, ...ObjectRef[]]): Promise<void>;
}

/** The view that has the keys. */
export interface FocusedView {
  list(): FocusedList | undefined;
}

/** Everything a command may touch, and nothing else. */
export interface Services {
  readonly api: Client<Api, CallOptions>;
  readonly workspace: Workspace;
  readonly toast: Toaster;
  readonly session: Session;
  readonly appearance: Appearance;
  readonly view: FocusedView;
  readonly objects: ObjectWork;
  /** Notes a failure for whoever looks into it; nothing secret. */
  readonly log: (message: string, error: unknown) => void;
}
