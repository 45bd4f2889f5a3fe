import { createPort } from '../../core/port.ts';
import type { Cell } from '../../core/state/state.ts';
import type { TypedAhead } from './typed-ahead.ts';

export const typedAheadPort = createPort<Cell<TypedAhead | undefined>>('text typed ahead');

/** Text typed for an editor that is still loading. */
export const useTypedAhead = typedAheadPort.use;
