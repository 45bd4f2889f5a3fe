import { type Clock, systemClock } from '../kit/clock.ts';

/** How an attempt that the breaker let through came out. Exactly one of them is called. */
export interface Attempt {
  succeeded(): void;
  failed(): void;
  /** It ended without saying anything about the cluster (the caller went away). */
  abandoned(): void;
}

/** Protects a failing cluster from repeated requests: after several failures it refuses requests itself for a while. */
export interface Breaker {
  /** An attempt to report on, or the ms until the next one may be made. */
  enter(): Attempt | number;
  /** As `enter`, even while the breaker is open: a person asked for it. */
  force(): Attempt;
  /** The cluster answered something that was no attempt: closes the breaker. */
  reached(): void;
}

const failuresToOpen = 3;
const firstPauseMs = 2_000;
const maxPauseMs = 60_000;

/**
 * Opens after 3 failures in a row, first for 2 s, then twice as long each time up to a minute. After the pause one
 * attempt goes through; the others wait for its outcome.
 */
export function createBreaker(clock: Clock = systemClock): Breaker {
  let failures = 0;
  let pauseMs = 0;
  let opensAgainAt = 0;
  let isTrying = false;
  /** Attempts so far, and how many of them had begun when the cluster last answered. */
  let begun = 0;
  let begunAtAnswer = 0;

  const reached = () => {
    failures = 0;
    pauseMs = 0;
    begunAtAnswer = begun;
  };

  const attempt = (isTrial: boolean): Attempt => {
    begun += 1;
    const number = begun;
    if (isTrial) isTrying = true;
    const end = () => {
      if (isTrial) isTrying = false;
    };
    return {
      succeeded() {
        end();
        reached();
      },
      failed() {
        end();
        // The cluster answered since: requests that an outage left hanging say nothing about it now.
        if (number <= begunAtAnswer) return;
        failures += 1;
        // Those that were under way when it opened say nothing new: only the trial lengthens the pause.
        const isOpen = pauseMs > 0;
        if (isOpen ? !isTrial : failures < failuresToOpen) return;
        pauseMs = isOpen ? Math.min(maxPauseMs, pauseMs * 2) : firstPauseMs;
        opensAgainAt = clock.now() + pauseMs;
      },
      abandoned: end,
    };
  };

  return {
    enter() {
      if (pauseMs === 0) return attempt(false);
      const left = opensAgainAt - clock.now();
      if (left > 0) return left;
      return isTrying ? 1_000 : attempt(true);
    },
    force: () => attempt(pauseMs > 0 && !isTrying),
    reached,
  };
}
