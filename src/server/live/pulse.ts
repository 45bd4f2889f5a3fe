import { Problem } from '../../contract/problem.ts';
import type { LiveTransport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import { nextTurn } from './list.ts';

/** Times of a cluster's pulse, ms. */
export const pulseLimits = {
  /** A cluster that said nothing for this long is asked whether it is there. */
  quiet: 5_000,
  /** One that does not answer within this is silent. */
  patience: 3_000,
  /** The same of the very first question: opening a connection and making a credential take their time. */
  firstPatience: 8_000,
  /** Pause before a cluster that refused, broke off or is not ready is asked again; jittered by a quarter. */
  pause: 2_000,
  /** A failure elsewhere has the cluster asked at most this often. */
  doubtEvery: 1_000,
  /** A cluster that comes back but is not ready (5xx) is given up to this long to become so. */
  readiness: 10_000,
} as const;

/** A cluster does not answer. */
export interface Silence {
  /** When it last said anything, epoch ms. */
  readonly since: number;
  /** One sentence. */
  readonly message: string;
}

/** Who hears how a cluster is. */
export interface PulseListener {
  /** The cluster does not answer, or what keeps it from answering is another thing now. */
  silent?(silence: Silence): void;
  /**
   * The cluster answers: again, or for the first time since somebody looks. `same`: over the connection that watches use,
   * which therefore still work. `anew`: over another; nothing on the old ones is to be trusted.
   */
  back?(how: 'same' | 'anew'): void;
  /** While somebody looks: when the cluster last said anything, epoch ms. Every 5 s at most. */
  heard?(at: number): void;
}

/**
 * Whether a cluster answers. While somebody looks, one cheap question at a time finds it out for everything that is read
 * of the cluster: after 5 s in which nothing came of it, after a failure, and every 2 to 3 s while it does not answer.
 */
export interface Pulse {
  /** When the cluster last said anything, epoch ms; undefined before that. */
  readonly heardAt: number | undefined;
  /** Undefined while the cluster answers, as far as is known. */
  readonly silence: Silence | undefined;
  readonly isWatched: boolean;
  /** A watch brought something. Cheap. */
  hear(): void;
  /** A watch broke or a request got no answer: the cluster is asked at once. */
  doubt(): void;
  /** Somebody looks, until the answer is called. */
  look(): () => void;
  /** The answer ends it. */
  follow(listener: PulseListener): () => void;
  dispose(): void;
}

export interface PulseOptions {
  /** Name of the cluster. */
  readonly name: () => string;
  readonly transport: () => Promise<LiveTransport>;
  readonly clock: Clock;
}

/** Asks nothing before somebody looks. */
export function createPulse({ name, transport, clock }: PulseOptions): Pulse {
  const listeners = new Set<PulseListener>();
  /** Questions that wait for their answer. */
  const asked = new Set<AbortController>();
  let heardAt: number | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let silence: Silence | undefined;
  /** When a cluster that is not ready yet first answered. */
  let unreadySince: number | undefined;
  let lookers = 0;
  /** Nobody was told yet that it answers, since somebody looks. */
  let isNew = false;
  /** Something failed since the cluster was last asked. */
  let isDoubted = false;
  let cancelNext: (() => void) | undefined;

  function stop(): void {
    cancelNext?.();
    cancelNext = undefined;
    for (const question of asked) question.abort();
    asked.clear();
  }

  function next(ms: number): void {
    cancelNext?.();
    cancelNext = lookers === 0 ? undefined : clock.after(ms, check);
  }

  const pauseSoon = () => next(pulseLimits.pause * (0.75 + clock.random() / 2));

  function tellHeard(): void {
    if (heardAt === undefined || silence !== undefined) return;
    for (const listener of listeners) listener.heard?.(heardAt);
  }

  function check(): void {
    cancelNext = undefined;
    tellHeard();
    const left = (heardAt ?? Number.NEGATIVE_INFINITY) + pulseLimits.quiet - clock.now();
    if (silence === undefined && !isDoubted && left > 0) next(left);
    else void ask(silence !== undefined);
  }

  async function ask(isFresh: boolean): Promise<void> {
    const question = new AbortController();
    const { signal } = question;
    askedAt = clock.now();
    isDoubted = false;
    asked.add(question);
    let cancelLate: (() => void) | undefined;
    try {
      const way = await transport();
      signal.throwIfAborted();
      const from = clock.now();
      const patience = heardAt === undefined ? pulseLimits.firstPatience : pulseLimits.patience;
      cancelLate = clock.after(patience, () => void late(question, isFresh, from));
      const status = await way.ping({ isFresh, signal });
      if (!signal.aborted) answered(status, isFresh);
    } catch (error) {
      if (!signal.aborted) failed(error, isFresh);
    } finally {
      cancelLate?.();
      asked.delete(question);
    }
  }

  /** A question has no answer in time. One over the connection of the watches may have it yet. */
  async function late(question: AbortController, isFresh: boolean, from: number): Promise<void> {
    // What came while this process was busy is read before it is missed.
    await nextTurn();
    if (!asked.has(question) || question.signal.aborted) return;
    if (isFresh) question.abort();
    if (silence === undefined && heardAt !== undefined && heardAt > from) {
      question.abort();
      next(pulseLimits.quiet);
      return;
    }
    fall(`${name()} is unreachable.`);
    void ask(true);
  }

  function failed(error: unknown, isFresh: boolean): void {
    // Perhaps only that connection broke.
    if (!isFresh) {
      if (silence === undefined) void ask(true);
      return;
    }
    fall(error instanceof Problem ? error.title : `${name()} is unreachable.`);
    pauseSoon();
  }

  function answered(status: number, isFresh: boolean): void {
    const isReady = status < 500;
    const now = clock.now();
    if (!isReady && silence !== undefined) {
      unreadySince ??= now;
      if (now - unreadySince < pulseLimits.readiness) {
        fall(`${name()} is starting and not ready yet (${status}).`);
        pauseSoon();
        return;
      }
    }
    const becomesReady = isReady && unreadySince !== undefined;
    if (isReady) unreadySince = undefined;
    else unreadySince ??= now;
    heardAt = now;
    if (silence !== undefined) rise(isFresh ? 'anew' : 'same');
    else if (isNew || becomesReady) back('same');
    tellHeard();
    next(pulseLimits.quiet);
  }

  function fall(message: string): void {
    if (silence?.message === message) return;
    silence = { since: silence?.since ?? heardAt ?? clock.now(), message };
    for (const listener of listeners) listener.silent?.(silence);
  }

  function rise(how: 'same' | 'anew'): void {
    silence = undefined;
    stop();
    if (how === 'same') {
      back(how);
      return;
    }
    // Also what is asked next goes over new connections; those who are told ask at once.
    void transport()
      .then((way) => way.renew())
      .catch(() => undefined)
      .finally(() => back(how));
  }

  function back(how: 'same' | 'anew'): void {
    isNew = false;
    for (const listener of listeners) listener.back?.(how);
  }

  return {
    get heardAt() {
      return heardAt;
    },
    get silence() {
      return silence;
    },
    get isWatched() {
      return lookers > 0;
    },
    hear() {
      heardAt = clock.now();
      if (silence === undefined) return;
      rise('same');
      tellHeard();
      next(pulseLimits.quiet);
    },
    doubt() {
      if (lookers === 0 || silence !== undefined || asked.size > 0) return;
      isDoubted = true;
      next(Math.max(0, askedAt + pulseLimits.doubtEvery - clock.now()));
    },
    look() {
      lookers += 1;
      if (lookers === 1) {
        isNew = true;
        check();
      }
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        lookers -= 1;
        if (lookers === 0) stop();
      };
    },
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose() {
      stop();
      lookers = 0;
      listeners.clear();
    },
  };
}
