import { isWellKnown } from '../../../registry/custom-status/families.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { ClusterProblem } from '../../clusters/transport.ts';
import type { Clock } from '../../kit/clock.ts';

/** Kinds that are counted at a time, at first. */
const firstAtATime = 4;
/** Kinds are counted again at most this often, one at a time, ms. */
const recountPause = 250;
/** All of them at most this often, ms. */
const recountAll = 10_000;
/** One that is expected to have objects now is counted again at most this often, ms. */
const recountExpected = 2_000;
/** Counts that came are told together, ms. */
const tellPause = 1_000;
/** Counts that were expected are told after this, ms. */
const tellExpectedPause = 100;

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
 * after the other while it lasts: what is expected to have objects first, then in turn those whose group has objects,
 * which somebody works with, and all others.
 */
export class KindCensus {
  readonly #parts: KindCensusParts;
  /** By id of the kind. */
  readonly #counts = new Map<string, KindCount>();
  #kinds: readonly AnyKind[] = [];
  /** Those that wait for their first count. */
  #waiting: readonly AnyKind[] = [];
  #running = 0;
  /** When each kind was counted last, epoch ms. */
  readonly #countedAt = new Map<string, number>();
  /** Kinds that are expected to have objects now. */
  readonly #expected = new Set<string>();
  /** Where the turn of each sort of kinds is. */
  readonly #turns = { used: 0, other: 0 };
  #isTurnOfUsed = false;
  #isStopped = false;
  #isRecounting = false;
  /** When a kind is counted again, epoch ms. */
  #recountAt = 0;
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
    for (const id of this.#countedAt.keys()) if (!ids.has(id)) this.#countedAt.delete(id);
    const added = kinds.filter(({ id }) => !known.has(id));
    this.#waiting = [...this.#waiting.filter(({ id }) => ids.has(id)), ...wellKnownFirst(added)];
    this.#goOn();
  }

  /** Counts a kind soon of which no object was known: there is reason to think that it has one now. */
  expect({ id }: AnyKind): void {
    if (this.#isStopped || this.#counts.get(id) !== 0) return;
    this.#expected.add(id);
    // Events by the hundred must not put it off for ever.
    if (this.#recountAt <= this.#parts.clock.now() + recountPause) return;
    this.#cancelRecount?.();
    this.#cancelRecount = undefined;
    this.#recountSoon();
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
    this.#countedAt.clear();
    this.#expected.clear();
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
    const pause =
      this.#expected.size > 0 ? recountPause : Math.max(recountPause, recountAll / this.#kinds.length);
    if (this.#cancelRecount !== undefined) return;
    this.#recountAt = this.#parts.clock.now() + pause;
    this.#cancelRecount = this.#parts.clock.after(pause, () => {
      const kind = this.#nextExpected() ?? this.#nextInTurn();
      this.#cancelRecount = undefined;
      this.#isRecounting = true;
      void (kind === undefined ? Promise.resolve() : this.#count(kind)).finally(() => {
        this.#isRecounting = false;
        this.#recountSoon();
      });
    });
  }

  #nextExpected(): AnyKind | undefined {
    for (const id of this.#expected) {
      const kind = this.#kinds.find((one) => one.id === id);
      if (kind === undefined || this.#parts.isWatched(kind)) this.#expected.delete(id);
      else if (this.#isDue(kind, recountExpected)) return kind;
    }
    return undefined;
  }

  #nextInTurn(): AnyKind | undefined {
    this.#isTurnOfUsed = !this.#isTurnOfUsed;
    const used = new Set(this.#kinds.flatMap((kind) => (this.#hasObjects(kind) ? [kind.group] : [])));
    const next = (turn: 'used' | 'other') =>
      this.#nextOf(turn, ({ group }) => (turn === 'used') === used.has(group));
    return this.#isTurnOfUsed ? (next('used') ?? next('other')) : (next('other') ?? next('used'));
  }

  /** The next kind of a sort that was not counted for a while. */
  #nextOf(turn: 'used' | 'other', isOfSort: (kind: AnyKind) => boolean): AnyKind | undefined {
    const kinds = this.#kinds;
    for (let tried = 0; tried < kinds.length; tried += 1) {
      this.#turns[turn] = (this.#turns[turn] + 1) % kinds.length;
      const kind = kinds[this.#turns[turn]];
      // Timers are late rather than early, and turns come once in a pause.
      if (kind !== undefined && isOfSort(kind) && this.#isDue(kind, recountAll - recountPause)) return kind;
    }
    return undefined;
  }

  #hasObjects(kind: AnyKind): boolean {
    return this.#parts.isWatched(kind) || Number(this.#counts.get(kind.id)) > 0;
  }

  /** Whether a kind is to be counted that was not for a time, ms. */
  #isDue(kind: AnyKind, pause: number): boolean {
    if (this.#parts.isWatched(kind)) return false;
    return (this.#countedAt.get(kind.id) ?? Number.NEGATIVE_INFINITY) + pause <= this.#parts.clock.now();
  }

  /** Never throws: what could not be counted is counted in its next turn. */
  async #count(kind: AnyKind): Promise<void> {
    let count: KindCount | undefined;
    const isExpected = this.#expected.delete(kind.id);
    this.#countedAt.set(kind.id, this.#parts.clock.now());
    try {
      count = (await this.#parts.count(kind)) ?? 1;
    } catch (error) {
      if (error instanceof ClusterProblem && error.upstream.status === 403) count = 'unreadable';
      else return;
    }
    if (this.#counts.get(kind.id) === count) return;
    this.#counts.set(kind.id, count);
    if (this.#isStopped) return;
    if (isExpected) this.#cancelTelling?.();
    const tell = () => {
      this.#cancelTelling = undefined;
      this.#parts.onChange();
    };
    if (isExpected || this.#cancelTelling === undefined)
      this.#cancelTelling = this.#parts.clock.after(isExpected ? tellExpectedPause : tellPause, tell);
  }
}
