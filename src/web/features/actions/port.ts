import { createPort } from '../../core/port.ts';
import type { Cell } from '../../core/state/state.ts';
import type { PendingAction } from './acting.ts';
import type { HeldChange } from './held-changes.ts';

/** Actions on objects that wait for somebody. */
export interface ActingPort {
  /** The action that waits for its arguments or confirmation. */
  readonly acting: Cell<PendingAction | undefined>;
  /** Changes that wait to be sent, the latest last. */
  readonly heldChanges: Cell<readonly HeldChange[]>;
}

export const actingPort = createPort<ActingPort>('state of actions');

/** Actions on objects that wait for somebody. */
export const useActing = actingPort.use;
