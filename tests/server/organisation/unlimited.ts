import { PlanLimits } from '../../../src/server/plans/limits.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';

/** The limits of a console that sells no plans. */
export const unlimited = new PlanLimits(null, systemClock);
