import type { Clock } from '../../kit/clock.ts';
import type { Fault } from './faults.ts';
import type { FreshnessKeeper } from './freshness.ts';
import { reflectorLimits } from './limits.ts';
import type { Pulse } from './pulse.ts';

export interface RetriesOptions {
  readonly clock: Pick<Clock, 'random'>;
  readonly freshness: FreshnessKeeper;
  readonly pulse: Pick<Pulse, 'isWatched' | 'silence' | 'doubt'> | undefined;
}

/** The step after a failed attempt. */
export interface NextTry {
  /** Time until the next try, ms. */
  readonly wait: number;
  /** The version is not trusted any more: the next try lists. */
  readonly relists: boolean;
}

/** Counts the failures of one list, sets the state that they mean, and decides when to try again. */
export class Retries {
  readonly #clock: RetriesOptions['clock'];
  readonly #freshness: FreshnessKeeper;
  readonly #pulse: RetriesOptions['pulse'];
  /** Failed tries in a row. */
  #failures = 0;
  /** Watches in a row that opened or were refused without a usable line. */
  #badResumes = 0;
  /** Versions in a row that were too old, without a usable line between them. */
  #expiries = 0;
  /** Lists in a row that were read but whose watch could not be opened. */
  #unwatched = 0;
  /** The running try had an answer. */
  #isReached = false;
  /** Answers in a row that the resource is not served. */
  #absences = 0;

  constructor({ clock, freshness, pulse }: RetriesOptions) {
    this.#clock = clock;
    this.#freshness = freshness;
    this.#pulse = pulse;
  }

  /** Failed tries in a row. */
  get failures(): number {
    return this.#failures;
  }

  begin(): void {
    this.#isReached = false;
  }

  listRead(): void {
    this.#absences = 0;
    this.#unwatched += 1;
  }

  watchOpened(): void {
    this.#isReached = true;
    this.#unwatched = 0;
    this.#badResumes += 1;
  }

  /** The watch brought a usable line. */
  lineRead(): void {
    this.#expiries = 0;
    this.#badResumes = 0;
  }

  /** The watch ended as planned, or only its connection did. */
  watchEnded(): void {
    this.#badResumes = 0;
  }

  /** The list or its cluster works again: the backoff starts from its beginning. */
  recovered(): void {
    this.#failures = 0;
  }

  /** Forgets every failure. */
  reset(): void {
    this.#failures = 0;
    this.#absences = 0;
    this.#expiries = 0;
    this.#badResumes = 0;
    this.#unwatched = 0;
  }

  /** @param isListed whether a complete list is held, which stays on the page meanwhile */
  failed(fault: Fault, isListed: boolean): NextTry {
    this.#failures += 1;
    switch (fault.type) {
      case 'expired':
        return this.#expired(fault, isListed);
      case 'unwatchable':
        this.#failures = 0;
        this.#freshness.polled(fault.message);
        return { wait: reflectorLimits.polled, relists: true };
      case 'denied':
      case 'refused':
        this.#freshness.say('forbidden', this.#failures, fault.message);
        return { wait: reflectorLimits.denied, relists: fault.type === 'denied' };
      case 'absent':
        this.#freshness.say('absent', this.#failures, fault.message);
        return { wait: this.#absentWait(), relists: true };
      case 'failed':
        this.#badResumes += 1;
        break;
      case 'throttled':
      case 'lost':
        break;
    }
    return this.#brokenOff(fault, isListed);
  }

  #expired({ message }: Fault, isListed: boolean): NextTry {
    this.#expiries += 1;
    if (isListed) this.#freshness.renewing(message);
    else this.#freshness.say('loading', this.#failures, message);
    return { wait: this.#expiries === 1 ? 0 : this.#backoff(), relists: true };
  }

  /** A failure that the next try may well not meet. */
  #brokenOff(fault: Fault, isListed: boolean): NextTry {
    const freshness = this.#freshness;
    const isDistrusted = this.#badResumes >= reflectorLimits.resumeTries;
    if (isDistrusted) this.#badResumes = 0;
    // The first break of a watch is said only if it lasts: the next watch may be open in a moment.
    const isFirstBreak =
      fault.type === 'lost' && fault.isOld !== true && this.#isReached && this.#failures === 1;
    if (isFirstBreak && freshness.state.status === 'live') freshness.renewing(fault.message);
    else if (isListed) freshness.broken(this.#failures, fault.message);
    else {
      const status = fault.type === 'throttled' ? 'loading' : 'unreachable';
      freshness.say(status, this.#failures, fault.message);
    }
    if (fault.type !== 'lost') {
      return { wait: Math.max(this.#backoff(), fault.retryAfter ?? 0), relists: isDistrusted };
    }
    this.#pulse?.doubt();
    // A try that got no answer: what comes back may be another server, restored to another version.
    return { wait: this.#lostWait(fault), relists: isDistrusted || !this.#isReached };
  }

  #absentWait(): number {
    this.#absences += 1;
    const { absentFirst, absent } = reflectorLimits;
    return Math.min(absent, absentFirst * 2 ** Math.min(this.#absences - 1, 10));
  }

  #lostWait(fault: Fault): number {
    // The pulse finds out when the cluster answers, and wakes every list then.
    if (this.#pulse?.silence !== undefined) return reflectorLimits.backoffLongest;
    // The cluster answers but lets no watch through: reading the whole list at every try would be too much.
    if (this.#unwatched >= reflectorLimits.unwatchedTries) return reflectorLimits.polled;
    return Math.min(Math.max(this.#backoff(), fault.retryAfter ?? 0), this.#maxBackoff());
  }

  #maxBackoff(): number {
    const { backoffWatched, backoffLongest } = reflectorLimits;
    return this.#pulse?.isWatched === true ? backoffWatched : backoffLongest;
  }

  /** Exponential with jitter, ms. */
  #backoff(): number {
    const exponential = reflectorLimits.backoffFirst * 2 ** Math.min(this.#failures - 1, 20);
    return Math.min(this.#maxBackoff(), exponential) * (0.5 + this.#clock.random() / 2);
  }
}
