import { isBuiltInGroup } from '../../../registry/kinds/builtin.ts';
import { isWellKnown } from '../../../registry/custom-status/families.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import type { Clock } from '../../kit/clock.ts';
import { feedGrace } from '../feed/audience.ts';
import type { DefinedKinds } from './defined-kinds.ts';
import type { Entry } from '../source/projector.ts';
import { KindCensus, type KindCount } from './kind-census.ts';

/** Maximum number of custom kinds of one cluster that dashboards and tallies watch: each is a list and a watch. */
export const maxCustomKinds = 240;
/** Maximum number of objects of these kinds together, some 500 bytes each. */
export const maxCustomObjects = 50_000;
/** Maximum number of kinds without objects that are watched. */
const maxYoungKinds = 20;
/** Kinds for which there was no place are tried again this long after a list ended, ms: many end together. */
const retryPause = 250;

/** The custom kinds of a cluster whose objects may be in trouble. */
export interface CustomChoice {
  readonly watched: readonly AnyKind[];
  /** Those with objects for which there is no place, or which cannot be read. */
  readonly left: readonly AnyKind[];
}

const noEntries: ReadonlyMap<string, Entry> = new Map();
const noChoice: CustomChoice = { watched: [], left: [] };

/**
 * Chooses what is watched of the kinds that have objects: kinds of well-known projects first, then by name, so that the
 * choice stays the same. Last come a few of those that were just defined, whose first objects may come soon.
 * @param countOf undefined while nobody knows
 * @param young ids of the kinds that were just defined
 * @param before the choice so far: a kind that did not change stays the very same
 */
export function chooseKinds(
  kinds: readonly AnyKind[],
  countOf: (kind: AnyKind) => KindCount | undefined,
  young: ReadonlySet<string> = new Set(),
  before: CustomChoice = noChoice,
): CustomChoice {
  const known = new Map([...before.watched, ...before.left].map((kind) => [kind.id, kind]));
  const able = kinds
    .filter(({ attention }) => attention !== undefined)
    .map((kind) => {
      const same = known.get(kind.id);
      const one = same !== undefined && same.fingerprint === kind.fingerprint ? same : kind;
      return { one, rank: isWellKnown(kind.group, kind.kind) ? 0 : 1 };
    })
    .sort((a, b) => a.rank - b.rank || (a.one.id < b.one.id ? -1 : 1))
    .map(({ one }) => one);
  const watched: AnyKind[] = [];
  const left: AnyKind[] = [];
  let objects = 0;
  for (const kind of able) {
    const count = countOf(kind);
    if (count === undefined || count === 0) continue;
    const isRoom =
      count !== 'unreadable' && watched.length < maxCustomKinds && objects + count <= maxCustomObjects;
    if (isRoom) objects += count;
    (isRoom ? watched : left).push(kind);
  }
  const places = Math.min(maxYoungKinds, maxCustomKinds - watched.length);
  const first = able.filter((kind) => countOf(kind) === 0 && young.has(kind.id)).slice(0, places);
  return { watched: [...watched, ...first], left };
}

/** Somebody who follows the custom kinds of a cluster. */
export interface CustomKindsFollower {
  /** Another follower never ends it. Harmless the second time. */
  leave(): void;
}

/** The custom kinds of a cluster, read once for everybody who follows them. */
export interface CustomKinds {
  /** Nothing before the definitions were read. */
  readonly choice: CustomChoice;
  /** The definitions that are or may be in trouble, by uid; all others are not. */
  readonly troubled: ReadonlyMap<string, Entry>;
  /** Whether all of these were read since the definitions last changed. */
  readonly isTroubledRead: boolean;
  /** Whether the cluster certainly has no definition of a kind any more. @param id of the kind */
  isGone(id: string): boolean;
  /** Whether a kind that is not watched was found to have no objects. @param id of the kind */
  isEmpty(id: string): boolean;
  /**
   * Reads the definitions and counts their objects while anybody follows, and for a while after that.
   * @param changed called after the choice became another, and once there may be a place for kinds that had none
   */
  follow(changed: () => void): CustomKindsFollower;
  /** Looks soon whether a kind of which no object was known has some: it was named, or one was created. */
  expect(named: Pick<AnyKind, 'group' | 'kind'>): void;
  /** A list of the cluster ended: there may be a place. */
  listEnded(): void;
  /** Another credential may see others. */
  restart(): void;
}

/** Where custom kinds are read and counted. */
export interface CustomKindsSource {
  /** Reads the kinds that the cluster's definitions make. */
  read(onChange: () => void): DefinedKinds;
  /** Counts the objects of a kind; undefined where the cluster does not say how many. Throws. */
  count(kind: AnyKind): Promise<number | undefined>;
  /** How many objects of a kind are watched. */
  held(kind: AnyKind): number;
}

/** Nothing is read before somebody follows. */
export const createCustomKinds = (source: CustomKindsSource, clock: Clock): CustomKinds =>
  new FollowedKinds(source, clock);

class FollowedKinds implements CustomKinds {
  readonly #source: CustomKindsSource;
  readonly #clock: Clock;
  readonly #followers = new Set<() => void>();
  readonly #census: KindCensus;
  #choice = noChoice;
  /** Ids of the kinds that are watched: they are looked up for all kinds several times a second. */
  #watchedIds: ReadonlySet<string> = new Set();
  /** Undefined while nobody follows. */
  #defined: DefinedKinds | undefined;
  #cancelForgetting: (() => void) | undefined;
  #cancelRetry: (() => void) | undefined;

  constructor(source: CustomKindsSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    this.#census = new KindCensus({
      count: (kind) => source.count(kind),
      isWatched: ({ id }) => this.#watchedIds.has(id),
      onChange: () => this.#choose(),
      clock,
    });
  }

  get choice(): CustomChoice {
    return this.#choice;
  }

  get troubled(): ReadonlyMap<string, Entry> {
    return this.#defined?.troubled ?? noEntries;
  }

  get isTroubledRead(): boolean {
    return this.#defined?.isTroubledRead === true;
  }

  isGone(id: string): boolean {
    return this.#defined?.isGone(id) === true;
  }

  isEmpty(id: string): boolean {
    return this.#defined?.kinds.some((kind) => kind.id === id && this.#countOf(kind) === 0) === true;
  }

  follow(changed: () => void): CustomKindsFollower {
    this.#cancelForgetting?.();
    this.#cancelForgetting = undefined;
    // Each follower is one, even where two share a function.
    const follower = () => changed();
    this.#followers.add(follower);
    if (this.#defined === undefined) this.#begin();
    return {
      leave: () => {
        if (this.#followers.delete(follower) && this.#followers.size === 0) this.#end();
      },
    };
  }

  expect({ group, kind }: Pick<AnyKind, 'group' | 'kind'>): void {
    if (isBuiltInGroup(group)) return;
    const named = this.#defined?.kinds.find((one) => one.kind === kind && one.group === group);
    if (named !== undefined) this.#census.expect(named);
  }

  listEnded(): void {
    if (this.#followers.size === 0) return;
    this.#cancelRetry ??= this.#clock.after(retryPause, () => {
      this.#cancelRetry = undefined;
      for (const follower of this.#followers) follower();
    });
  }

  restart(): void {
    this.#defined?.restart();
  }

  #begin(): void {
    this.#defined = this.#source.read(() => {
      const kinds = this.#defined?.kinds ?? [];
      this.#census.follow(kinds.filter(({ attention }) => attention !== undefined));
      this.#choose();
    });
  }

  #choose(): void {
    const { kinds = [], young } = this.#defined ?? {};
    this.#choice = chooseKinds(kinds, (kind) => this.#countOf(kind), young, this.#choice);
    this.#watchedIds = new Set(this.#choice.watched.map(({ id }) => id));
    for (const follower of this.#followers) follower();
  }

  #countOf(kind: AnyKind): KindCount | undefined {
    const count = this.#census.countOf(kind);
    return count === 0 ? this.#source.held(kind) : count;
  }

  /** Reads and counts no more; whoever comes within a while goes on with what is known. */
  #end(): void {
    this.#defined?.dispose();
    this.#defined = undefined;
    this.#census.stop();
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#cancelForgetting = this.#clock.after(feedGrace, () => {
      this.#choice = noChoice;
      this.#watchedIds = new Set();
      this.#census.forget();
    });
  }
}
