import type { Command } from '../../registry/commands/command.ts';
import { createPort } from '../core/port.ts';
import type { KeymapStore } from '../core/state/keymap.ts';
import type { Cell } from '../core/state/state.ts';
import type { TypedRun } from './typed-run.ts';

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

/** The keys of the page. */
export interface KeyboardPort {
  /** The keys this person works with. */
  readonly keymap: KeymapStore;
  /** Whether the sheet of all keys is open. */
  readonly keySheet: Cell<boolean>;
  /** The step already pressed of keys of two steps, with what may follow. */
  readonly pendingKeys: Cell<PendingKeys | undefined>;
  /** Keys pressed outside of fields. */
  readonly typedRun: TypedRun;
}

export const keyboardPort = createPort<KeyboardPort>('keyboard');

/** The keys of the page. */
export const useKeyboard = keyboardPort.use;
