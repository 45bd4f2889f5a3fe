import { ownPath } from '../../../registry/path.ts';
import { readRuns, type RecentRun, storeRuns } from '../../../registry/palette/recents.ts';
import { type Keeper, type PersistedValue, persisted } from './persisted.ts';
import type { Cell } from './state.ts';
import { membersOf, parseStored } from './stored.ts';

const version = 1;
const limit = 12;

/** A place somebody was in. */
export interface RecentPlace {
  readonly href: string;
  /** Epoch ms. */
  readonly at: number;
}

/** Puts a place first; one entry for each, at most twelve. `keyOf` says which addresses are the same place. */
export function withRecent(
  recents: readonly RecentPlace[],
  place: RecentPlace,
  keyOf: (href: string) => string,
): readonly RecentPlace[] {
  return [place, ...recents.filter((one) => keyOf(one.href) !== keyOf(place.href))].slice(0, limit);
}

/** The stored places; whatever does not read as one is dropped. */
export function readRecents(text: string | null): readonly RecentPlace[] {
  const stored = parseStored(text);
  // Before there were versions they were stored as a bare list.
  const places = Array.isArray(stored) ? stored : membersOf(stored, version).places;
  if (!Array.isArray(places)) return [];
  return places.slice(0, limit).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return [];
    const { href, at } = one as Record<string, unknown>;
    const own = ownPath(typeof href === 'string' ? href : null);
    return own === undefined || typeof at !== 'number' ? [] : [{ href: own, at }];
  });
}

/** The places as text to store. */
export function storeRecents(places: readonly RecentPlace[]): string {
  return JSON.stringify({ version, places });
}

/** Where each person was and what they ran from the palette, newest first, kept in this browser for all its pages. */
export interface Recents {
  /** The places of the person with this id. The same cell at every call. */
  places(userId: number): Cell<readonly RecentPlace[]>;
  /** Commands that this person ran recently. Every call returns the same cell. */
  runs(userId: number): Cell<readonly RecentRun[]>;
}

/** The recents of this browser; those of a person are read when they are first asked for. */
export function createRecents(keeper: Keeper): Recents {
  const perPerson = <T>(kept: (userId: number) => PersistedValue<T>) => {
    const cells = new Map<number, Cell<T>>();
    return (userId: number) => {
      const known = cells.get(userId) ?? persisted(kept(userId), keeper);
      cells.set(userId, known);
      return known;
    };
  };
  return {
    places: perPerson((userId) => ({
      key: `wheelhouse.recents.${userId}`,
      read: readRecents,
      write: storeRecents,
    })),
    runs: perPerson((userId) => ({ key: `wheelhouse.runs.${userId}`, read: readRuns, write: storeRuns })),
  };
}
