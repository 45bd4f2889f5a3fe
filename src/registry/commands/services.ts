import type { Api } from '../../contract/api.ts';
import type { Client } from '../../contract/endpoint.ts';
import type { OrgRole, TeamRole } from '../../contract/permissions.ts';
import type { ChangeGuard } from '../../contract/preferences.ts';
import type { HistorySeconds } from '../../contract/usage-ranges.ts';
import type { ObjectRef, Source, Target } from './invocation.ts';
import { numberNames } from '../numbers.ts';

/** Options of a call besides its arguments. */
export interface CallOptions {
  readonly signal?: { readonly aborted: boolean };
}

/** A side of a tile. */
export type TileSide = 'left' | 'right' | 'up' | 'down';

/** The tiles and tabs on screen. */
export interface Workspace {
  /**
   * Opens a path of this console. `here` (the default) activates a tab with that path in the focused tile, else in
   * another one; `new-tab` looks in the focused tile only; `split-right` and `split-down` always make a new tile beside
   * the focused one. Throws a Refusal if no more tiles fit, an Error if the path leads elsewhere.
   */
  open(href: string, target?: Target): void;
  /** The path and search of the focused tab. */
  href(): string;
  /**
   * Shows the tab that the focused tab was opened from, or reopens its path if it is closed; of a page that its address
   * opened, the page that it belongs to. Returns false and does nothing if there is neither.
   */
  leave(): boolean;
  /** Closes a tab; the focused one by default. */
  closeTab(id?: string): void;
  /** Closes the other tabs of a tab's tile; of the focused tab by default. */
  closeOthers(id?: string): void;
  /** Opens the tab again that was closed last, where it was; false if there is none. */
  reopenTab(): boolean;
  /** Shows the address of the focused tab in a second tab beside it. */
  duplicateTab(): void;
  /** Closes every tab and shows the selected cluster, or home. */
  clearTabs(): void;
  /** Shows the previously shown tab, in whichever tile; false if there is none. */
  showLast(): boolean;
  /** Activates a neighbouring tab; -1 is the left one. */
  stepTab(by: number): void;
  /** Shows the focused tab in a second tile beside it. Throws a Refusal if no more tiles fit. */
  split(side: TileSide): void;
  /** Closes the focused tile with its tabs. */
  closeTile(): void;
  /** Focuses the tile on one side of the focused tile, if there is one. */
  focusTile(side: TileSide): void;
  /** Focuses the next tile in reading order; -1 for the previous one. */
  stepTile(by: number): void;
  /** Moves the focused tile: swaps it with the tile on that side, or moves it to that edge. */
  moveTile(side: TileSide): void;
  /** Moves the focused tab into the tile on that side, or into a new one there. */
  moveTab(side: TileSide): void;
  /**
   * Widens (`row`) or heightens (`column`) the focused tile by a percentage of its split; negative values shrink it.
   */
  resizeTile(direction: 'row' | 'column', by: number): void;
  /** Gives neighbouring tiles the same size. */
  equaliseTiles(): void;
  /** Maximises the focused tile over the others, or restores it. */
  toggleMaximised(): void;
  /** Cancels the current drag of a tab, a tile or a boundary and restores the layout. */
  cancelDrag(): void;
  /**
   * Adds the last chosen namespace of the cluster to a list's path. Returns other paths, and those with a namespace,
   * unchanged.
   */
  inChosenNamespace(href: string): string;
  /** Sets the namespace of a cluster for lists that open from now on; all namespaces if undefined. */
  chooseNamespace(clusterId: number, name: string | undefined): void;
  /**
   * Switches the cluster on the person's request: clears namespace and tabs and opens the same route on the new
   * cluster. Does nothing where the focused tab is on that cluster.
   */
  switchCluster(clusterId: number): void;
}

/** A button in a toast; pressing it dismisses the toast. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface ToastOptions {
  /** Shown under the title: a line for each failure, then the object and its cluster. */
  readonly detail?: string;
  /** Milliseconds; Infinity keeps the toast until it is dismissed. */
  readonly duration?: number;
  /** A toast shows at most two. */
  readonly actions?: readonly ToastAction[];
}

/** Short messages over the page. */
export interface Toaster {
  success(title: string, options?: ToastOptions): void;
  error(title: string, options?: ToastOptions): void;
  warning(title: string, options?: ToastOptions): void;
  info(title: string, options?: ToastOptions): void;
}

/** The signed-in person's session. */
export interface Session {
  /** Signs out. The page forgets the person even if the server is unreachable. */
  logout(): Promise<void>;
  /** Goes on in another company of the person. Nothing of the former one stays in the page, which is loaded anew. */
  switchCompany(companyId: number): Promise<void>;
  /** Loads the page anew at home, once the session acts in another company. */
  begin(): void;
}

export type Theme = 'system' | 'light' | 'dark';

/** The look of the page, stored in this browser. */
export interface Appearance {
  toggleSidebar(): void;
  /** Opens or closes the group More of the sidebar. */
  toggleMore(): void;
  /** Shows the console in the whole screen, or in the browser's window again. Throws a `Refusal` where the browser cannot. */
  toggleFullScreen(): Promise<void>;
  setTheme(theme: Theme): void;
  theme(): Theme;
  /** Sets the time that usage charts show, s. */
  setUsageRange(seconds: HistorySeconds): void;
  /** Switches whether Tab leaves text editors or indents in them. Returns whether it now leaves them. */
  toggleTabLeaves(): boolean;
}

/** The list in the focused view, if it shows one. */
export interface FocusedList {
  /** Moves the cursor by rows; ±Infinity goes to an end. */
  moveCursor(by: number): void;
  /** Moves by screenfuls; -1 is one up, 0.5 half a screen down. */
  movePage(by: number): void;
  openRow(target: Target): void;
  focusFilter(): void;
  /** Explains how filters are written. */
  explainFilter(): void;
  /** Leaves the filter field; if not in it, clears the selection, then the filter. */
  escape(): void;
  retry(): void;
  /** Sorts again after the order was frozen. */
  settle(): void;
  /** Sorts by the column `by` headings further; before the first comes worst first. */
  stepSort(by: number): void;
  /** Sorts by a column, descending with a leading `-`; again reverses it. False if the list has no such column. */
  sortBy(sort: string): boolean;
  /** Reverses the order. */
  turnSort(): void;
  /** Toggles the selection of the row under the cursor. */
  toggleRow(): void;
  /** Selects the rows from the one that was selected last to the one under the cursor. */
  selectToRow(): void;
  /**
   * Selects the row under the cursor and the next one (-1: the one before), and moves there. Going back takes rows out
   * of the selection again.
   */
  stretchSelection(by: 1 | -1): void;
  /** Selects every visible row, or clears the selection if all are selected. */
  toggleAll(): void;
  /** Toggles the columns of the wide table. */
  toggleWide(): void;
  /** Toggles between unhealthy rows only and all rows. */
  toggleUnhealthy(): void;
  /** Downloads the visible rows: their cells, or the objects themselves. */
  save(format: 'csv' | 'yaml'): Promise<void>;
}

/** The log in the focused view, if it shows one. */
export interface FocusedLog {
  focusSearch(): void;
  /** Goes to the next match; -1 for the previous one. */
  stepMatch(by: 1 | -1): void;
  /** Scrolls to the end and follows new lines. */
  follow(): void;
  /** Moves the cursor by lines. */
  moveLine(by: number): void;
  /** Toggles an option, selects its next choice, or performs an action on the visible lines. */
  turn(what: LogTurn): void;
  /** Ends the search. False if there is none. */
  escape(): boolean;
}

/** The graph in the focused view, if it shows one, drawn or as a tree. */
export interface FocusedGraph {
  /** The object under the cursor. */
  ref(): ObjectRef | undefined;
  do(step: GraphStep): void;
}

/** Steps in a graph. `left` and `right` follow edges, and collapse and expand lines of a tree. */
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

/** Options and actions of a log besides search and follow. */
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

/** Operations of a view that is neither list nor log. */
export interface FocusedTool {
  /** `text`: edits a text. `page`: shows a read-only page, whatever its address. */
  readonly name: 'diff' | 'yaml' | 'text' | 'page' | 'replay';
  /** Performs an operation; false if the view does not support it. */
  turn(what: ToolTurn): boolean;
  /** The people that are selected in it; absent where it shows none to select. */
  readonly people?: readonly AtHand[];
}

/** Operations of a comparison (its differences), of read-only YAML (its blocks), of a text that is edited, of a page of teams or members, or of a replay. */
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
  | 'download'
  | 'save'
  | 'leave'
  | 'enter'
  | 'newTeam'
  | 'addMember'
  | 'grantCluster'
  | 'invite'
  | 'newToken'
  | 'saveCsv'
  | 'saveJsonLines'
  | 'searchPeople'
  | 'selectPerson'
  | 'selectPeople'
  | ReplayTurn;

/** Tenths of a recording, by what is said of them. */
export const replayTenths = ['Start', ...numberNames] as const;

/** Steps of the replay of a recording; `toThree` goes to three tenths of it. */
export type ReplayTurn =
  | 'play'
  | 'back'
  | 'forward'
  | 'slower'
  | 'faster'
  | 'find'
  | `to${(typeof replayTenths)[number]}`;

/** Opening objects of clusters and acting on them. */
export interface ObjectWork {
  /**
   * Opens the page of an object, or one of its tools (`yaml`, `logs`).
   * @param search further values of the tool's address
   */
  open(ref: ObjectRef, target?: Target, view?: string, search?: Readonly<Record<string, string>>): void;
  /**
   * Runs an action on objects; asks for missing arguments and for confirmation if necessary. Rejects with a Problem.
   */
  act(
    actionId: string,
    refs: readonly [ObjectRef, ...ObjectRef[]],
    args?: Readonly<Record<string, unknown>>,
    source?: Source,
  ): Promise<void>;
  /** Undoes the latest change that is not yet sent. Rejects with a Refusal if there is none. */
  undo(): Promise<void>;
}

/** What identifies an object, as text. */
export type CopiedPart = 'name' | 'kubectl' | 'link';

/** The clipboard; the person is told how copying went. */
export interface ClipboardWork {
  /** Copies names, kubectl commands or whole addresses of objects, one line for each. */
  copyObjects(what: CopiedPart, refs: readonly [ObjectRef, ...ObjectRef[]]): Promise<void>;
  /** Copies the whole address of a path of this console. */
  copyLink(href: string): Promise<void>;
}

/** The person's preferences, stored on the server. */
export interface PreferenceWork {
  /** Sets how single-key changes are guarded. Rejects with a Problem. */
  setChanges(changes: ChangeGuard): Promise<void>;
}

/** The view that has the keyboard. */
export interface FocusedView {
  list(): FocusedList | undefined;
  log(): FocusedLog | undefined;
  graph(): FocusedGraph | undefined;
  tool(): FocusedTool | undefined;
  /** Compares the objects of the focused list with those of another place. False if no list has the focus. */
  compareList(): Promise<boolean>;
  /** Id of the view's tab. */
  tab(): string;
  /** Moves to the next line with a link if it is near, otherwise scrolls; -1 is up. */
  walk(by: 1 | -1): Promise<void>;
  /** Scrolls a page by screenfuls; ±Infinity goes to an end. */
  scroll(by: number): Promise<void>;
  /** The path that the focused line links to. */
  linePath(): string | undefined;
  /** Moves the keyboard focus to the view's rows, or to the view itself, and closes what lies over it. */
  focus(): void;
  /**
   * Shows one namespace in the focused list, or all if undefined. False if no list of namespaced objects has the focus.
   */
  chooseNamespace(namespace: string | undefined): Promise<boolean>;
  /**
   * Shows the namespaces that the person leaves out, or leaves them out again, in the focused view. False if it shows no
   * namespaces of a cluster together.
   */
  toggleExcluded(): Promise<boolean>;
  /** Shows the namespace with a number from 1 to 9 in the focused list; tells the person if there is none. */
  chooseNumbered(number: number): Promise<void>;
}

/** Acts of an Owner on a membership that need nothing but the person, and on an invitation. */
export type PersonAct = 'suspend' | 'letIn' | 'remove' | 'endSessions';
export type InvitationAct = 'resend' | 'revoke';

/** A part of the company that a command is about. */
export interface AtHand {
  readonly id: number;
  /** Name of a person, address of an invitation; undefined while it is not read. */
  readonly name: string | undefined;
}

/** Acts of Owners on people and invitations of their company. Each rejects with a Problem or a Refusal. */
export interface OrganisationWork {
  /** The people that are selected in the focused view, else the person that it shows or whose line has the focus. */
  people(): readonly AtHand[];
  /** The invitation whose line has the focus. */
  invitation(): AtHand | undefined;
  /** Asks first where something is taken away, and by a key always: it may be a letter of a word. Then does it. */
  act(act: PersonAct, userIds: readonly number[], source: Source): Promise<void>;
  setRole(userIds: readonly number[], role: OrgRole): Promise<void>;
  /** Puts people into a team, or gives them another role in it. */
  addToTeam(userIds: readonly number[], teamId: number, role: TeamRole): Promise<void>;
  /** Sends an invitation again, with another link, by a key once it was asked; or asks whether it is revoked. */
  actOnInvitation(act: InvitationAct, inviteId: number, source: Source): Promise<void>;
}

/** What is followed: an object, a namespace, or with neither the cluster as a whole. */
export interface FollowedThing {
  readonly object?: Omit<ObjectRef, 'cluster'>;
  readonly namespace?: string;
}

/**
 * What the person follows, and what they were told of it. Each but `toggle` rejects with a Problem, and with a Refusal where
 * the key that asked for it is part of a typed text.
 */
export interface NotificationWork {
  /** Opens or closes the bell. */
  toggle(): void;
  /** Marks all that the bell shows as read, or clears them. */
  changeAll(change: 'read' | 'clear'): Promise<void>;
  /** Follows things of a cluster, or unfollows them where all are followed already. */
  follow(clusterId: number, things: readonly FollowedThing[], source?: Source): Promise<void>;
  /** Tells once each workload is ready, or why it is not: on this page, and by the bell. */
  tellWhenReady(refs: readonly [ObjectRef, ...ObjectRef[]], source?: Source): Promise<void>;
}

/** How long trouble is acknowledged: hours, until the next morning, for a week, or no more. */
export type AcknowledgeTime = '1h' | '8h' | 'tomorrow' | 'week' | 'end';

/** Lines under “Needs attention”. */
export interface AttentionWork {
  /** The object whose line under “Needs attention” has the focus. */
  trouble(): ObjectRef | undefined;
  /**
   * Acknowledges the trouble of an object for the person, as it is now, or ends that. Rejects with a Problem, and with a
   * Refusal where nothing is known to be wrong with it.
   */
  acknowledge(trouble: ObjectRef, time: AcknowledgeTime): Promise<void>;
  /**
   * Does what the line of an object offers first: creates or edits the object that ends the cause, else runs the action
   * that helps. Rejects with a Problem, and with a Refusal where nothing of that can be done.
   */
  help(trouble: ObjectRef): Promise<void>;
}

/** The company's subscription. */
export interface SubscriptionWork {
  /** Shows the plans to choose from; to people who are no Owner, who can. */
  showPlans(): void;
}

/** The palette: everything the console can do and show, by a few letters. */
export interface PaletteService {
  /** Toggles the palette. @param text the initial input, e.g. `:` for kind mode */
  toggle(text?: string): void;
  /**
   * Opens the palette with the questions that a command needs answered.
   * @param args those that are known
   */
  ask(commandId: string, args?: Readonly<Record<string, unknown>>): void;
  /** Moves the highlight by entries; single steps wrap around. */
  move(by: number): void;
  /** Runs the highlighted entry. */
  take(target: 'here' | 'split-right'): void;
  /** Shows the actions on the highlighted object. */
  openActions(): void;
  /** Goes back one step; closes the palette from the first. */
  back(): void;
}

/** The initial state of the dialog that creates resources. */
export interface CreateRequest {
  /** The cluster's number; the selected cluster by default. */
  readonly clusterId?: string;
  /** Kind and variant of a template, which fill in the dialog together. Unknown ones fill in nothing. */
  readonly resource?: string;
  readonly variant?: string;
  /** A prepared text in the place of a template. */
  readonly text?: string;
}

/** Creating resources from YAML. */
export interface CreateWork {
  open(request: CreateRequest): void;
}

/** The dialog that is open. */
export interface DialogWork {
  /** Submits the dialog wherever the focus is in it; tells the person why if that is impossible. */
  submit(): Promise<void>;
}

/** Help about using the console. */
export interface Help {
  /** Shows all keys. */
  showKeys(): void;
  /** Opens the community's page in another browser tab. */
  openCommunity(): void;
  /** Sends the next key to the console while a terminal has the keyboard. */
  lead(): void;
}

/** Everything that a command may use of the page. */
export interface Services {
  readonly api: Client<Api, CallOptions>;
  readonly workspace: Workspace;
  readonly toast: Toaster;
  readonly session: Session;
  readonly appearance: Appearance;
  readonly view: FocusedView;
  readonly notifications: NotificationWork;
  readonly attention: AttentionWork;
  readonly subscription: SubscriptionWork;
  readonly palette: PaletteService;
  readonly objects: ObjectWork;
  readonly organisation: OrganisationWork;
  readonly clipboard: ClipboardWork;
  readonly create: CreateWork;
  readonly dialog: DialogWork;
  readonly preferences: PreferenceWork;
  readonly help: Help;
  /** Logs a failure for developers; without secrets. */
  readonly log: (message: string, error: unknown) => void;
}
