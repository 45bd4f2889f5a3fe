import type { CreateRequest } from '../../../registry/commands/services.ts';
import { createPort } from '../../core/port.ts';
import type { Cell } from '../../core/state/state.ts';

/** Requests to create something. */
export interface CreatingPort {
  /** With what the dialog that creates resources is open; undefined while it is closed. */
  readonly creating: Cell<CreateRequest | undefined>;
  /** The request in the link that opened this page; taken once. */
  readonly linked: { take(): CreateRequest | undefined };
}

export const creatingPort = createPort<CreatingPort>('request to create');

/** Requests to create something. */
export const useCreating = creatingPort.use;
