import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Command, Invocation } from '../../registry/command.ts';
import type { Registry } from '../../registry/registry.ts';
import type {
  CreateRequest,
  FocusedGraph,
  FocusedLog,
  FocusedTool,
  Services,
} from '../../registry/services.ts';
import type { Acting } from '../features/actions/acting.ts';
import type { HeldChange } from '../features/actions/held-changes.ts';
import type { ApiClient } from '../data/client.ts';
import type { KnownKinds } from './kinds/known.ts';
import type { TypedAhead } from '../features/edit/typed-ahead.ts';
import type { KnownData } from '../data/live/known.ts';
import type { Live } from '../data/live/live.ts';
import type { Queries } from '../data/queries.ts';
import type { Cell } from './state/state.ts';
import type { KeymapStore } from './state/keymap.ts';
import type { ColumnChoices } from './state/columns.ts';
import type { AppearanceState } from './state/appearance.ts';
import type { Recents } from './state/recents.ts';
import type { PaletteOpening } from '../features/palette/opening.ts';
import type { ShownPalette } from '../features/palette/shown.ts';
import type { Published, PublishedList } from '../workspace/published.ts';
import type { Held } from '../workspace/use-held.ts';
import type { ConsoleRouter } from '../routing/router.ts';
import type { Lapse } from '../data/lapse.ts';
import type { WorkspaceStore } from '../workspace/workspace.ts';

/** The app's parts, made once for each page. */
export interface App {
  readonly registry: Registry;
  /** Whether the registry has every command: it begins with those of the first screen. */
  readonly isWhole: Cell<boolean>;
  /** Loads the others. Rejects where they cannot be had, and tells nobody. */
  readonly complete: () => Promise<void>;
  /** Loads the others for a person who waits for one of them. Rejects where they cannot be had, having said so. */
  readonly whole: () => Promise<void>;
  readonly services: Services;
  readonly api: ApiClient;
  readonly queries: Queries;
  readonly queryClient: QueryClient;
  readonly live: Live;
  /** What is known of what is followed live. */
  readonly known: KnownData;
  readonly kinds: KnownKinds;
  readonly workspace: WorkspaceStore;
  /** Owns the browser's address, and knows which route answers a path. */
  readonly router: ConsoleRouter;
  readonly appearance: Cell<AppearanceState>;
  readonly lists: Published<PublishedList>;
  readonly logs: Published<FocusedLog>;
  readonly graphs: Published<FocusedGraph>;
  readonly tools: Published<FocusedTool>;
  /** What was typed for an editor that is still loading. */
  readonly typedAhead: Cell<TypedAhead | undefined>;
  /** Tabs whose views hold something that would be lost with them: they stay mounted. */
  readonly held: Cell<Held>;
  /** What somebody is about to close that holds something, until they say whether to. */
  readonly losing: Cell<Losing | undefined>;
  /** How many menus and dialogs are open, by sort. */
  readonly overlays: Cell<Overlays>;
  /** Why this page shows sign-in, where a call was answered 401; undefined once the person goes on. */
  readonly lapse: Cell<Lapse | undefined>;
  /** Whether the person is being signed out. */
  readonly leaving: Cell<boolean>;
  /** The step already pressed of keys of two steps, with what may follow. */
  readonly pendingKeys: Cell<PendingKeys | undefined>;
  /** The keys this person works with. */
  readonly keymap: KeymapStore;
  /** Whether the sheet of all keys is open. */
  readonly keySheet: Cell<boolean>;
  /** Which columns of each kind's list are wanted. */
  readonly columnChoices: Cell<ColumnChoices>;
  /** Where each person was, and what they ran from the palette. */
  readonly recents: Recents;
  /** The action that waits for its arguments or confirmation. */
  readonly acting: Cell<Acting | undefined>;
  /** Changes that wait to be sent, the latest last. */
  readonly heldChanges: Cell<readonly HeldChange[]>;
  /** With what the dialog that creates resources is open; undefined while it is closed. */
  readonly creating: Cell<CreateRequest | undefined>;
  /** What the link that this page was opened with asks to create; taken once. */
  readonly linked: { take(): CreateRequest | undefined };
  /** The moment the open palette was opened in; undefined while it is closed. */
  readonly palette: Cell<PaletteOpening | undefined>;
  /** The palette once it shows. */
  readonly shownPalette: Cell<ShownPalette | undefined>;
  /** Runs a command by id, as a button or menu does; without a subject on what the focused view means. */
  readonly run: (
    id: string,
    args?: Readonly<Record<string, unknown>>,
    invocation?: Partial<Invocation<unknown>>,
  ) => void;
}

export interface Overlays {
  readonly menu: number;
  readonly dialog: number;
}

/** Tabs that are about to go, or to show something else, and hold something. */
export interface Losing {
  readonly tabs: readonly string[];
  readonly go: () => void;
  /** They lead to another place, as the browser's Back does, and are not closed. */
  readonly isWay: boolean;
}

/** Keys pressed so far, and the commands they may still become. */
export interface PendingKeys {
  readonly strokes: readonly string[];
  readonly next: readonly { readonly stroke: string; readonly command: Command }[];
  /** A second key that meant nothing. */
  readonly unknown?: string;
  /** Why the keys do nothing here, a whole sentence. */
  readonly reason?: string;
  /** The first key was a terminal's leader. */
  readonly isLeader?: boolean;
}

/** Holds the app for every component. */
export const AppContext = createContext<App | undefined>(undefined);

/** The app's parts. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error('There is no app around this component.');
  return app;
}
