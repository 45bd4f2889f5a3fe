import type { Outcome } from '../../../contract/objects.ts';
import { createPort } from '../../core/port.ts';
import type { Cell } from '../../core/state/state.ts';
import type { PendingAction } from './acting.ts';
import type { HeldChange } from './held-changes.ts';

/** A change that was made: by an action, an edit, or an apply. */
export interface DoneAction {
  /** As paths carry it. */
  readonly cluster: string;
  /** Whether its objects may roll something out for it. */
  readonly rollsOut: boolean;
  readonly outcomes: readonly Pick<Outcome, 'ref' | 'ok' | 'job'>[];
}

/** Actions on objects that wait for somebody. */
export interface ActingPort {
  /** The action that waits for its arguments or confirmation. */
  readonly acting: Cell<PendingAction | undefined>;
  /** Changes that wait to be sent, the latest last. */
  readonly heldChanges: Cell<readonly HeldChange[]>;
  /** What was done last on this page. */
  readonly done: Cell<DoneAction | undefined>;
}

export const actingPort = createPort<ActingPort>('state of actions');

/** Actions on objects that wait for somebody. */
export const useActing = actingPort.use;
