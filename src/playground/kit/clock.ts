/** Time and timers of the playground. Injected, so that tests of hours take milliseconds. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls once after `ms`. Returns a function that cancels. */
  after(ms: number, call: () => void): () => void;
  /** Set when time stands still: continuous processes such as logs then pause. */
  readonly isStill?: boolean;
  /** Time of the `Date` header of answers, milliseconds since 1970; that of `now` without it. */
  answerDate?(): number;
}

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, Math.max(0, Math.min(ms, 2 ** 31 - 1)));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly call: () => void;
  /** Cancels the timer on the clock that took it over. */
  cancel: (() => void) | undefined;
}

/**
 * A clock that is advanced by hand. Timers run in order of time, those of one instant in order of creation. It
 * can hand over to another clock once the past has been played.
 */
export class ManualClock implements Clock {
  #now: number;
  #order = 0;
  #timers: Timer[] = [];
  #successor: Clock | undefined;

  constructor(start: number) {
    this.#now = start;
  }

  get isStill(): boolean {
    return this.#successor?.isStill === true;
  }

  now(): number {
    return this.#successor === undefined ? this.#now : this.#successor.now();
  }

  after(ms: number, call: () => void): () => void {
    if (this.#successor !== undefined) return this.#successor.after(ms, call);
    const timer: Timer = { at: this.#now + Math.max(0, ms), order: this.#order++, call, cancel: undefined };
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timers[middle]?.at ?? 0) <= timer.at) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer);
    return () => {
      timer.cancel?.();
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  /** Advances time, running every timer that falls due, including new ones. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#timers[0]; next !== undefined && next.at <= end; next = this.#timers[0]) {
      this.#timers.shift();
      this.#now = Math.max(this.#now, next.at);
      next.call();
    }
    this.#now = end;
  }

  /** Sets the time without running timers; those that fell due run at the next advance. */
  jump(to: number): void {
    this.#now = Math.max(this.#now, to);
  }

  /** Hands time and pending timers over to another clock, permanently. */
  handOver(successor: Clock): void {
    const waiting = this.#timers;
    this.#timers = [];
    this.#successor = successor;
    for (const timer of waiting) {
      timer.cancel = successor.after(timer.at - successor.now(), timer.call);
    }
  }
}

/**
 * A clock that stands at one instant, for comparing screenshots. Timers set before `begin` never fire: plans of
 * the past do not happen. Later timers fire after their delay in real time, and only while one runs does the
 * clock show its due time. So the effects of a request happen with the same timestamps in every run, and
 * everything else sees the fixed instant.
 */
export class StillClock implements Clock {
  readonly isStill = true;
  readonly #at: number;
  readonly #startedAt = systemClock.now();
  #now: number;
  #hasBegun = false;

  constructor(at: number) {
    this.#at = at;
    this.#now = at;
  }

  now(): number {
    return this.#now;
  }

  /** Goes on from the instant: a console beside it takes a date that stands still for a clock that is late. */
  answerDate(): number {
    return this.#at + systemClock.now() - this.#startedAt;
  }

  after(ms: number, call: () => void): () => void {
    if (!this.#hasBegun) return () => undefined;
    const due = this.#now + Math.max(0, ms);
    return systemClock.after(ms, () => {
      this.#now = due;
      try {
        call();
      } finally {
        this.#now = this.#at;
      }
    });
  }

  /** Starts firing timers that are set from now on. */
  begin(): void {
    this.#hasBegun = true;
  }
}

/** A time (ms) as Kubernetes writes it: ISO, whole seconds, UTC. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** A time with microseconds, as leases carry it. */
export function microTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
