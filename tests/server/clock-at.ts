import { type Clock, systemClock } from '../../src/server/kit/clock.ts';

/** The machine's clock with a time of its own, epoch ms. */
export const clockAt = (now: () => number): Clock => ({ ...systemClock, now });
