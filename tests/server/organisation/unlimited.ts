import { PlanLimits } from '../../../src/server/plans/limits.ts';

/** The limits of a console that sells no plans. */
export const unlimited = new PlanLimits(null, Date.now);
