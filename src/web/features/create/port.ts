import type { CreateRequest } from '../../../registry/services.ts';
import { createPort } from '../../core/port.ts';
import type { Cell } from '../../core/state/state.ts';

/** What is asked to be created. */
export interface CreatingPort {
  /** With what the dialog that creates resources is open; undefined while it is closed. */
  readonly creating: Cell<CreateRequest | undefined>;
  /** What the link that this page was opened with asks to create; taken once. */
  readonly linked: { take(): CreateRequest | undefined };
}

export const creatingPort = createPort<CreatingPort>('request to create');

/** What is asked to be created. */
export const useCreating = creatingPort.use;
