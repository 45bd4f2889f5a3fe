import { Problem } from '../../../contract/problem.ts';
import type { AnyKind, RelatedObject } from '../../../registry/kinds/kind.ts';
import { refKey } from '../../../registry/kinds/refs.ts';
import type { May } from '../../access/held.ts';
import { listPlace, viewPlace } from '../../access/place.ts';
import type { Tapped } from '../feed/audience.ts';
import type { ClusterLive } from '../cluster/cluster.ts';
import { isGiven, readReference } from '../graph/reference.ts';
import { type Entry, placeOf } from '../source/projector.ts';

/** References of one object that are followed. */
const maxReferents = 50;
/** Kinds that the references of one object may name: each costs the cluster a list and a watch. */
const maxKinds = 12;
/** How often a kind without a file is looked for, each time with another version of the object. */
const maxSearches = 5;

/** Follows whether the objects that one object refers to exist. */
export interface Referents {
  /** Follows these references and no others. */
  follow(refs: readonly RelatedObject[]): void;
  /**
   * The references to objects that do not exist. Only of kinds that the person may view, and of namespaces whose list is
   * complete and up to date: without such a list the absence of an object proves nothing.
   */
  readonly missing: readonly RelatedObject[];
  leave(): void;
}

interface ReferentsOptions {
  readonly live: Pick<ClusterLive, 'kind' | 'find' | 'feed'>;
  readonly may: May;
  readonly onChange: () => void;
}

/** The references to objects of one kind. */
interface KindReferents {
  /** Takes the references of the next version. */
  want(refs: readonly RelatedObject[]): void;
  isMissing(ref: RelatedObject): boolean;
  leave(): void;
}

/** Nothing is read before there is a reference to follow. */
export function createReferents(options: ReferentsOptions): Referents {
  const kinds = new Map<string, KindReferents>();
  let followed: readonly (readonly [kindName: string, ref: RelatedObject])[] = [];

  function leave(): void {
    for (const one of kinds.values()) one.leave();
    kinds.clear();
    followed = [];
  }

  return {
    follow(refs) {
      const wanted = new Map<string, RelatedObject[]>();
      for (const ref of refs.slice(0, maxReferents)) {
        const key = refKey(ref);
        const kindName = isGiven(key) ? undefined : readReference(key)?.kindName;
        if (kindName === undefined) continue;
        const others = wanted.get(kindName);
        if (others !== undefined) others.push(ref);
        else if (wanted.size < maxKinds) wanted.set(kindName, [ref]);
      }
      for (const [kindName, one] of kinds) {
        if (wanted.has(kindName)) continue;
        one.leave();
        kinds.delete(kindName);
      }
      for (const [kindName, [first, ...rest]] of wanted) {
        if (first === undefined) continue;
        const one = kinds.get(kindName) ?? followKind(options, refKey(first));
        kinds.set(kindName, one);
        one.want([first, ...rest]);
      }
      followed = [...wanted].flatMap(([kindName, all]) => all.map((ref) => [kindName, ref] as const));
    },
    get missing() {
      return followed.flatMap(([kindName, ref]) =>
        kinds.get(kindName)?.isMissing(ref) === true ? [ref] : [],
      );
    },
    leave,
  };
}

/**
 * Follows the list of the kind that a reference names, if the person may view it.
 * @param key a reference to an object of that kind, as `refKey` writes it
 */
function followKind({ live, may, onChange }: ReferentsOptions, key: string): KindReferents {
  let places: ReadonlySet<string> = new Set();
  /** Places of the wanted objects that exist, by uid: an object may be replaced by another of its name. */
  const present = new Map<string, string>();
  let followed: { readonly kind: AnyKind; readonly tap: Tapped } | undefined;
  let isCounted = false;
  let searches = 0;
  let isFinding = false;
  let isOver = false;

  const placeOfEntry = (entry: Entry) => placeOf(entry.namespace, entry.name);

  /** Looks through the whole list once; from then on changes are enough. */
  function count(): void {
    if (followed?.tap.isReady !== true) return;
    present.clear();
    for (const entry of followed.tap.entries()) {
      const place = placeOfEntry(entry);
      if (places.has(place)) present.set(entry.uid, place);
    }
    isCounted = true;
  }

  function begin(kind: AnyKind): void {
    if (isOver || followed !== undefined || !may(kind.permissions.view, listPlace(kind))) return;
    try {
      const tap = live.feed(kind).tap({
        changed(entry, previous) {
          const either = entry ?? previous;
          if (!isCounted || either === undefined || !places.has(placeOfEntry(either))) return;
          if (entry === undefined) present.delete(either.uid);
          else present.set(entry.uid, placeOfEntry(entry));
          onChange();
        },
        settled() {
          if (!isCounted) count();
          onChange();
        },
      });
      followed = { kind, tap };
    } catch (error) {
      // The cluster has too many lists open: references of this kind are not checked.
      if (error instanceof Problem) return;
      throw error;
    }
    count();
    onChange();
  }

  /** Reads the kind from the cluster where the console has no file for it. */
  async function find(name: string): Promise<void> {
    isFinding = true;
    searches += 1;
    try {
      begin(await live.find(name));
    } catch {
      // Not served, or not answered: the next version of the object asks again.
    } finally {
      isFinding = false;
    }
  }

  return {
    want(refs) {
      // Whether its kind is of the cluster may not be known yet.
      const next = new Set(
        refs.flatMap(({ namespace = '', name }) => [placeOf(namespace, name), placeOf('', name)]),
      );
      const isSame = next.size === places.size && [...next].every((place) => places.has(place));
      places = next;
      if (followed !== undefined) {
        if (!isSame) count();
        return;
      }
      const reference = readReference(key);
      if (reference === undefined || isFinding || searches >= maxSearches) return;
      if (!may(reference.need, 'anywhere')) return;
      const declared = live.kind(reference.kind);
      if (declared === undefined) void find(reference.kind);
      else begin(declared);
    },
    isMissing({ namespace = '', name }) {
      if (followed === undefined || !isCounted) return false;
      const { kind, tap } = followed;
      const scope = kind.scope === 'Cluster' ? '' : namespace;
      if (kind.scope === 'Namespaced' && scope === '') return false;
      // Of an object in a namespace that the person may not look into nothing is said.
      if (!may(kind.permissions.view, viewPlace(kind, { namespace: scope, name }))) return false;
      const place = placeOf(scope, name);
      return tap.isWhole(scope) && ![...present.values()].includes(place);
    },
    leave() {
      isOver = true;
      followed?.tap.leave();
      followed = undefined;
    },
  };
}
