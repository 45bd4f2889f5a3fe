import { isWellKnown } from '../../registry/custom-status/families.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';

/** Kinds that are counted at a time, at first. */
const firstAtATime = 4;
/** Kinds are counted again at most this often, one at a time, ms. */
const recountPause = 250;
/** All of them at most this often, ms. */
const recountAll = 10_000;
/** Counts that came are told together, ms. */
const tellPause = 1_000;

/** How many objects a kind has; `unreadable` where the credential may not list them. */
export type KindCount = number | 'unreadable';

/** Inputs of `KindCensus`. */
export interface KindCensusParts {
  /** Counts the objects of a kind; undefined where the cluster does not say how many. Throws. */
  readonly count: (kind: AnyKind) => Promise<number | undefined>;
  /** Whether a kind need not be counted again: its objects are watched. */
  readonly isWatched: (kind: AnyKind) => boolean;
  /** Called after counts changed. */
  readonly onChange: () => void;
  readonly clock: Clock;
}

/** Counts well-known kinds first: they are watched first. */
function wellKnownFirst(kinds: readonly AnyKind[]): readonly AnyKind[] {
  const isKnown = new Set(kinds.filter(({ group, kind }) => isWellKnown(group, kind)));
  return [...isKnown, ...kinds.filter((kind) => !isKnown.has(kind))];
}

/**
 * Counts the objects of kinds, so that kinds without any take neither list nor watch. All of them once, then again one
 * after the other while it lasts.
 */
export class KindCensus {
  readonly #parts: KindCensusParts;
  /** By id of the kind. */
  readonly #counts = new Map<string, KindCount>();
  #kinds: readonly AnyKind[] = [];
  /** Those that wait for their first count. */
  #waiting: readonly AnyKind[] = [];
  #running = 0;
  #next = 0;
  #isStopped = false;
  #isRecounting = false;
  #cancelRecount: (() => void) | undefined;
  #cancelTelling: (() => void) | undefined;

  constructor(parts: KindCensusParts) {
    this.#parts = parts;
  }

  /** Undefined until the kind was counted. */
  countOf({ id }: AnyKind): KindCount | undefined {
    return this.#counts.get(id);
  }

  /** Counts these kinds from now on. */
  follow(kinds: readonly AnyKind[]): void {
    const known = new Set(this.#kinds.map(({ id }) => id));
    this.#isStopped = false;
    this.#kinds = kinds;
    const ids = new Set(kinds.map(({ id }) => id));
    for (const id of this.#counts.keys()) if (!ids.has(id)) this.#counts.delete(id);
    const added = kinds.filter(({ id }) => !known.has(id));
    this.#waiting = [...this.#waiting.filter(({ id }) => ids.has(id)), ...wellKnownFirst(added)];
    this.#goOn();
  }

  /** Counts no more until it follows kinds again; what was counted is kept. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelRecount?.();
    this.#cancelTelling?.();
    this.#cancelRecount = undefined;
    this.#cancelTelling = undefined;
  }

  /** Forgets what was counted. */
  forget(): void {
    this.#counts.clear();
    this.#kinds = [];
    this.#waiting = [];
  }

  #goOn(): void {
    while (!this.#isStopped && this.#running < firstAtATime) {
      const [kind, ...rest] = this.#waiting;
      if (kind === undefined) break;
      this.#waiting = rest;
      this.#running += 1;
      void this.#count(kind).finally(() => {
        this.#running -= 1;
        this.#goOn();
      });
    }
    if (this.#running === 0) this.#recountSoon();
  }

  #recountSoon(): void {
    if (this.#isStopped || this.#isRecounting || this.#kinds.length === 0) return;
    const pause = Math.max(recountPause, recountAll / this.#kinds.length);
    this.#cancelRecount ??= this.#parts.clock.after(pause, () => {
      const kind = this.#nextUnwatched();
      this.#cancelRecount = undefined;
      this.#isRecounting = true;
      void (kind === undefined ? Promise.resolve() : this.#count(kind)).finally(() => {
        this.#isRecounting = false;
        this.#recountSoon();
      });
    });
  }

  #nextUnwatched(): AnyKind | undefined {
    for (let tried = 0; tried < this.#kinds.length; tried += 1) {
      this.#next = (this.#next + 1) % this.#kinds.length;
      const kind = this.#kinds[this.#next];
      if (kind !== undefined && !this.#parts.isWatched(kind)) return kind;
    }
    return undefined;
  }

  /** Never throws: what could not be counted is counted in its next turn. */
  async #count(kind: AnyKind): Promise<void> {
    let count: KindCount | undefined;
    try {
      count = (await this.#parts.count(kind)) ?? 1;
    } catch (error) {
      if (error instanceof ClusterProblem && error.upstream.status === 403) count = 'unreadable';
      else return;
    }
    if (this.#counts.get(kind.id) === count) return;
    this.#counts.set(kind.id, count);
    if (this.#isStopped) return;
    this.#cancelTelling ??= this.#parts.clock.after(tellPause, () => {
      this.#cancelTelling = undefined;
      this.#parts.onChange();
    });
  }
}
