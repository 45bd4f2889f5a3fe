import type { Api } from '../contract/api.ts';
import type { Client } from '../contract/endpoint.ts';
import type { ChangeGuard } from '../contract/preferences.ts';
import type { ObjectRef, Source, Target } from './command.ts';

/** What a call may carry besides its arguments. */
export interface CallOptions {
  readonly signal?: { readonly aborted: boolean };
}

/** A side of a tile. */
export type TileSide = 'left' | 'right' | 'up' | 'down';

/** The tiles and tabs on screen. */
export interface Workspace {
  /**
   * Opens a path of this console. `here` (the default) activates a tab of it in the focused tile, else in another one;
   * `new-tab` looks in the focused tile only; `split-right` and `split-down` always make a new tile beside the focused
   * one. Throws a Refusal when no more tiles fit, an Error when the path leads elsewhere.
   */
  open(href: string, target?: Target): void;
  /** The path and search of the focused tab. */
  href(): string;
  /**
   * Shows where the focused tab was opened from: that tab, or its path anew where it is gone. False, and nothing
   * happens, where it was opened from nowhere.
   */
  leave(): boolean;
  /** Closes a tab, the focused one without an id. */
  closeTab(id?: string): void;
  /** Closes every tab and shows the selected cluster, or home. */
  clearTabs(): void;
  /** Shows the tab that was shown before this one, in whichever tile; false without one. */
  showLast(): boolean;
  /** Moves to the neighbouring tab; -1 is left. */
  stepTab(by: number): void;
  /** Shows the focused tab once more, in a tile beside it. Throws a Refusal when no more tiles fit. */
  split(side: TileSide): void;
  /** Closes the focused tile with its tabs. */
  closeTile(): void;
  /** Focuses the tile at a side of the focused one, if there is one. */
  focusTile(side: TileSide): void;
  /** Focuses the next tile in reading order; -1 is the one before. */
  stepTile(by: number): void;
  /** Moves the focused tile: it changes places with the tile at that side, else it goes to that edge. */
  moveTile(side: TileSide): void;
  /** Moves the focused tab into the tile at that side, else into a new one there. */
  moveTab(side: TileSide): void;
  /** Makes the focused tile wider (`row`) or taller (`column`) by per cents of its split; negative is narrower. */
  resizeTile(direction: 'row' | 'column', by: number): void;
  /** Gives neighbouring tiles the same size. */
  equaliseTiles(): void;
  /** Lets the focused tile cover the others, or no more. */
  toggleMaximised(): void;
  /** Gives up the drag of a tab, a tile or a boundary that is under way: everything is as before. */
  cancelDrag(): void;
  /** The path of a list with the namespace last chosen on its cluster; one that names a namespace, or no list, as it is. */
  inChosenNamespace(href: string): string;
  /** Chooses a namespace of a cluster, or all of them without a name, for the lists that open from now on. */
  chooseNamespace(clusterId: number, name: string | undefined): void;
  /** The person's change of cluster: clears namespace and tabs, same route on the new cluster. */
  switchCluster(clusterId: number): void;
}

/** Something to do about what a toast says; it ends the toast. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface ToastOptions {
  /** Under the title: the object and its cluster, before that a line for each failure. */
  readonly detail?: string;
  /** Milliseconds; Infinity keeps it until dismissed. */
  readonly duration?: number;
  /** At most two show. */
  readonly actions?: readonly ToastAction[];
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
  /** Lets Tab leave editors of text, or indent in them again. Answers whether it leaves now. */
  toggleTabLeaves(): boolean;
}

/** The list in the focused view, if it shows one. */
export interface FocusedList {
  /** Moves the cursor by rows; ±Infinity goes to an end. */
  moveCursor(by: number): void;
  /** Moves by screenfuls; -1 is one up, 0.5 half of one down. */
  movePage(by: number): void;
  openRow(target: Target): void;
  focusFilter(): void;
  /** Leaves the filter, then clears the selection, then the filter. */
  escape(): void;
  retry(): void;
  /** Sorts again after the order was held. */
  settle(): void;
  /** Sorts by the column so many headings further; before the first is worst first. */
  stepSort(by: number): void;
  /** Sorts by a column, descending with `-` before its id; again: the other way round. False where it has none such. */
  sortBy(sort: string): boolean;
  /** Turns the order around. */
  turnSort(): void;
  /** Selects the row under the cursor, or no more. */
  toggleRow(): void;
  /** Selects every row that shows, or none where all are. */
  toggleAll(): void;
  /** Shows the columns of the wide table, or no more. */
  toggleWide(): void;
  /** Shows only what is not well, or everything again. */
  toggleUnhealthy(): void;
  /** Saves the rows that show as a file: their cells, or the objects themselves. */
  save(format: 'csv' | 'yaml'): Promise<void>;
}

/** The log in the focused view, if it shows one. */
export interface FocusedLog {
  focusSearch(): void;
  /** Goes to the next match, or with -1 to the one before. */
  stepMatch(by: 1 | -1): void;
  /** Goes to the end, where new lines come. */
  follow(): void;
  /** Moves the cursor by lines. */
  moveLine(by: number): void;
  /** Turns a switch, goes on to its next choice, or does something with what is shown. */
  turn(what: LogTurn): void;
  /** Gives up the search. False where there is none. */
  escape(): boolean;
}

/** The graph in the focused view, if it shows one, drawn or as a tree. */
export interface FocusedGraph {
  /** The object under the cursor. */
  ref(): ObjectRef | undefined;
  do(step: GraphStep): void;
}

/** What can be done in a graph. `left` and `right` go along edges, and close and open lines of a tree. */
export type GraphStep =
  | 'down'
  | 'up'
  | 'left'
  | 'right'
  | 'first'
  | 'last'
  | 'open'
  | 'beside'
  | 'fold'
  | 'zoomIn'
  | 'zoomOut'
  | 'fit'
  | 'form';

/** What can be switched or done in a log, besides searching and following. */
export type LogTurn =
  | 'pause'
  | 'previous'
  | 'wrap'
  | 'times'
  | 'since'
  | 'tail'
  | 'level'
  | 'only'
  | 'regex'
  | 'fields'
  | 'container'
  | 'expand'
  | 'download'
  | 'copy';

/** What a view that is no list and no log lets be done with what it shows. */
export interface FocusedTool {
  /** `text`: it edits a text. `page`: whatever its address says, it shows a page that is only read. */
  readonly name: 'diff' | 'yaml' | 'text' | 'page';
  /** False where there is nothing here to do this with. */
  turn(what: ToolTurn): boolean;
}

/** What can be done in a comparison (its differences), or in YAML that is read (its blocks). */
export type ToolTurn =
  | 'next'
  | 'previous'
  | 'status'
  | 'toLeft'
  | 'toRight'
  | 'again'
  | 'filter'
  | 'fold'
  | 'foldAll'
  | 'copy'
  | 'download';

/** Objects of clusters: their pages and what can be done on them. */
export interface ObjectWork {
  /** Opens the page of an object, or one of its tools (`yaml`, `logs`). */
  open(ref: ObjectRef, target?: Target, view?: string): void;
  /**
   * Does an action on objects: asks first for arguments that are missing and for confirmation where it has to.
   * Rejects with a Problem.
   */
  act(
    actionId: string,
    refs: readonly [ObjectRef, ...ObjectRef[]],
    args?: Readonly<Record<string, unknown>>,
    source?: Source,
  ): Promise<void>;
  /** Undoes the latest change that is held and not yet sent. Rejects with a Refusal where there is none. */
  undo(): Promise<void>;
}

/** How the person likes to work, kept for them on the server. */
export interface PreferenceWork {
  /** Sets what becomes of changes that are asked for by a single key. Rejects with a Problem. */
  setChanges(changes: ChangeGuard): Promise<void>;
}

/** The view that has the keys. */
export interface FocusedView {
  list(): FocusedList | undefined;
  log(): FocusedLog | undefined;
  graph(): FocusedGraph | undefined;
  tool(): FocusedTool | undefined;
  /** Compares the objects of the focused list with those of another place. False where no list shows. */
  compareList(): Promise<boolean>;
  /** Id of its tab. */
  tab(): string;
  /** Goes to the next line of a page that leads somewhere where that is near, else scrolls; -1 is up. */
  walk(by: 1 | -1): Promise<void>;
  /** Scrolls a page by screenfuls; ±Infinity goes to an end. */
  scroll(by: number): Promise<void>;
  /** The path that the line with the focus leads to. */
  linePath(): string | undefined;
  /** Gives it the keyboard's focus: its rows, else the view itself. What lies over it ends with this. */
  focus(): void;
  /** Shows one namespace in the focused list, or all without one. False where no list of such objects shows. */
  chooseNamespace(namespace: string | undefined): Promise<boolean>;
  /** Shows the namespace with a number, 1 to 9, in the focused list; says so where there is none. */
  chooseNumbered(number: number): Promise<void>;
}

/** The palette: everything the console can do and show, by a few letters. */
export interface PaletteService {
  /** Opens it, or closes it when it is open. @param text what stands in it at first, e.g. `:` for its kind mode */
  toggle(text?: string): void;
  /** Opens it at what a command is yet to be told. */
  ask(commandId: string): void;
  /** Highlights the entry so many further; single steps go round the ends. */
  move(by: number): void;
  /** Takes what is highlighted. */
  take(target: 'here' | 'split-right'): void;
  /** Shows what can be done with the highlighted object. */
  openActions(): void;
  /** One step back; closes it from the first. */
  back(): void;
}

/** With what the dialog that creates resources opens. */
export interface CreateRequest {
  /** The cluster's number; the selected one without. */
  readonly clusterId?: string;
  /** Kind and name of a template: both, and it is filled in. Unknown ones fill in nothing. */
  readonly resource?: string;
  readonly variant?: string;
}

/** Creating resources from YAML. */
export interface CreateWork {
  open(request: CreateRequest): void;
}

/** The dialog that is open. */
export interface DialogWork {
  /** Does what it asks about, wherever the focus is in it; says why where that cannot be done. */
  submit(): Promise<void>;
}

/** What tells how the console is worked. */
export interface Help {
  /** Shows every key there is. */
  showKeys(): void;
  /** Opens the place where people help each other, in another browser tab. */
  openCommunity(): void;
  /** Gives the next key to the console, although a terminal has them all. */
  lead(): void;
}

/** Everything a command may touch, and nothing else. */
export interface Services {
  readonly api: Client<Api, CallOptions>;
  readonly workspace: Workspace;
  readonly toast: Toaster;
  readonly session: Session;
  readonly appearance: Appearance;
  readonly view: FocusedView;
  readonly palette: PaletteService;
  readonly objects: ObjectWork;
  readonly create: CreateWork;
  readonly dialog: DialogWork;
  readonly preferences: PreferenceWork;
  readonly help: Help;
  /** Notes a failure for whoever looks into it; nothing secret. */
  readonly log: (message: string, error: unknown) => void;
}
