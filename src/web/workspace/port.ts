import type { FocusedGraph, FocusedLog, FocusedTool } from '../../registry/commands/services.ts';
import { createPort } from '../core/port.ts';
import type { Cell } from '../core/state/state.ts';
import type { Published, PublishedList } from './published.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** Tabs that are about to go, or to show something else, and hold something. */
export interface UnsavedTabs {
  readonly tabs: readonly string[];
  readonly go: () => void;
  /** They lead to another place, as the browser's Back does, and are not closed. */
  readonly isWay: boolean;
}

/** Tiles and tabs, and what the views in them tell about themselves. */
export interface WorkspacePort {
  readonly workspace: WorkspaceStore;
  readonly lists: Published<PublishedList>;
  readonly logs: Published<FocusedLog>;
  readonly graphs: Published<FocusedGraph>;
  readonly tools: Published<FocusedTool>;
  /** Tabs whose views hold something that would be lost with them: they stay mounted. */
  readonly held: Cell<HeldByTab>;
  /** Tabs whose views have nothing left to show. */
  readonly ended: Cell<EndedByTab>;
  /** The unsaved tabs that somebody is about to close, until they decide. */
  readonly losing: Cell<UnsavedTabs | undefined>;
}

export const workspacePort = createPort<WorkspacePort>('workspace');

/** Tiles and tabs, and what the views in them tell about themselves. */
export const useWorkspace = workspacePort.use;

/** Tabs whose views have nothing left to show, and in a word why: `deleted`. */
export type EndedByTab = ReadonlyMap<string, string>;

/** Something that would be lost with the view of a tab. */
export interface HeldThing {
  /** As a person reads it: `an open terminal`. */
  readonly what: string;
  /** It is input that is not saved. */
  readonly isUnsaved: boolean;
}

/** Tabs whose views hold something that would be lost with them. */
export type HeldByTab = ReadonlyMap<string, HeldThing>;
