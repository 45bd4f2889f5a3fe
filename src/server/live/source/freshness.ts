import { isDeepStrictEqual } from 'node:util';
import type { Freshness, ListState } from '../../../contract/live.ts';
import type { Clock } from '../../kit/clock.ts';
import { reflectorLimits } from './limits.ts';

/** States whose `since` tells when the rows were last known to be true. */
const asOf: ReadonlySet<Freshness> = new Set(['polled', 'silent', 'reconnecting', 'stale']);

/** Says how fresh a list is, and lets it age by itself: renewing → reconnecting → stale. */
export interface FreshnessKeeper {
  readonly state: ListState;
  /** The rows were known to be true at this time (epoch ms). */
  knownAt(time: number): void;
  /** The list is complete and watched. */
  live(): void;
  /** The list is complete and cannot be watched; it was read when the rows were last known to be true. */
  polled(message: string): void;
  /** The watch is open, but the cluster has said nothing since this time (epoch ms). */
  silent(since: number, message: string): void;
  /** The watch ended as planned, or a relist is due: called reconnecting only if it takes noticeably long. */
  renewing(message?: string): void;
  /** The watch broke: reconnecting now, stale when that lasts; stale at once after a silence. */
  broken(attempt: number, message?: string): void;
  /** The cluster answers again after a silence: the list is being read anew. */
  resuming(): void;
  /** Any other state. */
  say(status: Freshness, attempt: number, message?: string): void;
  /** Clears the timers. */
  dispose(): void;
}

/** @param onState called after each change of state. */
export function createFreshness(clock: Clock, initial: Freshness, onState: () => void): FreshnessKeeper {
  let trueAt = clock.now();
  let cancel: (() => void) | undefined;
  const iso = (time: number) => new Date(time).toISOString();
  let state: ListState = { status: initial, since: iso(trueAt) };

  function set(status: Freshness, attempt: number, message: string | undefined): void {
    const next: ListState = {
      status,
      since: asOf.has(status) ? iso(trueAt) : status === state.status ? state.since : iso(clock.now()),
      ...(attempt === 0 ? {} : { attempt }),
      ...(message === undefined ? {} : { message }),
    };
    if (isDeepStrictEqual(next, state)) return;
    state = next;
    onState();
  }

  function stop(): void {
    cancel?.();
    cancel = undefined;
  }

  function age(): void {
    stop();
    cancel = clock.after(reflectorLimits.staleAfter, () => set('stale', state.attempt ?? 0, state.message));
  }

  const isAging = () => state.status === 'reconnecting' || state.status === 'stale';
  if (isAging()) age();

  return {
    get state() {
      return state;
    },
    knownAt(time) {
      trueAt = time;
    },
    live() {
      stop();
      set('live', 0, undefined);
    },
    polled(message) {
      stop();
      set('polled', 0, message);
    },
    silent(since, message) {
      stop();
      trueAt = since;
      set('silent', 0, message);
    },
    renewing(message) {
      if (isAging() || state.status === 'silent') return;
      stop();
      cancel = clock.after(reflectorLimits.renewal, () => {
        set('reconnecting', 0, message);
        age();
      });
    },
    broken(attempt, message) {
      // A stale list stays stale through further tries; a reconnecting one keeps its deadline.
      if (isAging()) {
        set(state.status, attempt, message);
        return;
      }
      if (state.status === 'silent') {
        set('stale', attempt, message);
        return;
      }
      set('reconnecting', attempt, message);
      age();
    },
    resuming() {
      if (isAging()) return;
      set('reconnecting', 0, undefined);
      age();
    },
    say(status, attempt, message) {
      stop();
      set(status, attempt, message);
    },
    dispose: stop,
  };
}
