import { createPort } from '../port.ts';
import type { AppearanceState } from './appearance.ts';
import type { ColumnChoices } from './columns.ts';
import type { FirstStepsState } from './first-steps.ts';
import type { Recents } from './recents.ts';
import type { Cell } from './state.ts';
import type { UsageSeconds } from './usage-range.ts';

/** State that this browser stores for its user. */
export interface KeptPort {
  readonly appearance: Cell<AppearanceState>;
  /** Which columns of each kind's list are wanted. */
  readonly columnChoices: Cell<ColumnChoices>;
  /** The time that usage charts show, s. */
  readonly usageRange: Cell<UsageSeconds>;
  /** Whether notices of this browser are wanted, where it allows them. */
  readonly browserNotices: Cell<boolean>;
  /** Where each person was, and what they ran from the palette. */
  readonly recents: Recents;
  /** What each newcomer has tried. The same cell at every call for a person. */
  readonly firstSteps: (userId: number) => Cell<FirstStepsState>;
}

export const keptPort = createPort<KeptPort>('storage of choices');

/** State that this browser stores for its user. */
export const useKept = keptPort.use;
