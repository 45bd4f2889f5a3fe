import { kindOfObject, kinds } from '../../../../commands/kinds/index.ts';
import { type GraphKnown, graphLimit, type GraphTie } from '../../../contract/graph.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import type { May } from '../../access/held.ts';
import { refKey } from '../../../registry/kinds/refs.ts';
import { type Entry, statusOf } from '../source/projector.ts';
import { createLabelIndex } from './label-index.ts';
import { closureOf, type Tie } from './closure.ts';
import { isGiven, readReference } from './reference.ts';

/** The scope of a graph: the contents of a namespace, or the objects that belong to one. */
export type GraphScope = { readonly namespace: string } | { readonly root: GraphRoot };

/** The object that a graph begins with. */
export interface GraphRoot {
  readonly kind: AnyKind;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
}

/** The kinds that a graph is made of, as they are known now. */
export interface GraphSource {
  /** Those that this person may view. */
  readonly kinds: readonly AnyKind[];
  /** The objects of a kind, perhaps to be gone through once; undefined while they are not known, or cannot be read. */
  entries(kind: AnyKind): Iterable<Entry> | undefined;
  /** Whether this person may view what others name, where it is. */
  readonly may: May;
}

/** A graph: the rows of `contract/graph.ts` as JSON by their keys, and how many there would be without a limit. */
export interface ComposedGraph {
  readonly rows: ReadonlyMap<string, string>;
  readonly total: number;
  /** Names of the kinds of objects that are only referred to: they are not followed, or not yet. */
  readonly unfollowed: ReadonlySet<string>;
}

interface KnownObject {
  readonly kind: AnyKind;
  readonly entry: Entry;
}

/** How references call the kinds whose objects tie together what has nothing to do with each other. */
const sharedKinds: ReadonlySet<string> = new Set(
  kinds.flatMap(({ graph, kind, group }) => (graph === 'shared' ? [`${kind}.${group}`] : [])),
);

/** The key by which others refer to an object. */
export const keyOf = (
  { group, version, kind }: Pick<AnyKind, 'group' | 'version' | 'kind'>,
  { namespace, name }: Pick<Entry, 'namespace' | 'name'>,
): string => refKey({ apiVersion: group === '' ? version : `${group}/${version}`, kind, namespace, name });

/** Where the objects of a graph are: of a namespace those in it, besides those of the cluster. */
function placeOfScope(scope: GraphScope): string | undefined {
  if ('namespace' in scope) return scope.namespace;
  const { root } = scope;
  return root.kind.scope === 'Namespaced' ? root.namespace : undefined;
}

/**
 * Composes a graph. Objects of other kinds are neither drawn nor named by an edge, unless their kind is not followed
 * and the person may view it.
 * @param limit objects it may have; those nearest to the root stay, of a namespace the rarest kinds
 */
export function composeGraph(source: GraphSource, scope: GraphScope, limit = graphLimit): ComposedGraph {
  const place = placeOfScope(scope);
  const known = new Map<string, KnownObject>();
  const keyOfUid = new Map<string, string>();
  const read = new Set<string>();
  for (const kind of source.kinds) {
    const name = `${kind.kind}.${kind.group}`;
    if ('namespace' in scope && sharedKinds.has(name)) continue;
    const entries = source.entries(kind);
    if (entries === undefined) continue;
    read.add(name);
    for (const entry of entries) {
      if (place !== undefined && entry.namespace !== '' && entry.namespace !== place) continue;
      const key = keyOf(kind, entry);
      known.set(key, { kind, entry });
      keyOfUid.set(entry.uid, key);
    }
  }

  const named = new Map<string, readonly [state: GraphKnown, kind: string, label: string]>();
  /** Whether a referenced object is shown: present or missing, but not one that this person may not see. */
  function isShown(key: string): boolean {
    if (known.has(key) || named.has(key)) return true;
    const reference = readReference(key);
    if (reference === undefined) return false;
    if ('namespace' in scope && sharedKinds.has(reference.kindName)) return false;
    if (place !== undefined && reference.namespace !== '' && reference.namespace !== place) return false;
    const state = read.has(reference.kindName) ? 'missing' : 'named';
    // An object of a namespace that this person may not look into is not missing: nothing is known of it.
    const at = reference.namespace === '' ? 'cluster' : { namespace: reference.namespace };
    if (!source.may(reference.need, at)) return false;
    named.set(key, [state, reference.kind, reference.label]);
    return true;
  }

  const selectors = createLabelIndex();
  for (const [key, { entry }] of known) {
    if (entry.links !== undefined && entry.links.selects !== '')
      selectors.add(entry.namespace, key, entry.links.selects);
  }

  const ties = new Map<string, readonly Tie[]>();
  function tiesOf(key: string, { kind, entry }: KnownObject): readonly Tie[] {
    const found = new Map<string, GraphTie>();
    for (const { uid, apiVersion, kind: label, name } of entry.owners) {
      // A node owns its static pods in no other sense than that they run there.
      if (label === 'Node' && apiVersion === 'v1') continue;
      // One that is not followed stands in the same namespace, where its kind has them.
      const namespace = kindOfObject(apiVersion, label)?.scope === 'Cluster' ? '' : entry.namespace;
      const owner = keyOfUid.get(uid) ?? refKey({ apiVersion, kind: label, namespace, name });
      if (isShown(owner)) found.set(owner, 'owner');
    }
    for (const to of entry.refs) {
      if (found.has(to) || isGiven(to) || !isShown(to)) continue;
      const isTarget = entry.links?.targets.includes(to) === true;
      // A volume and its claim name each other: the claim uses the volume, and one edge shows it.
      if (isTarget && known.get(to)?.entry.refs.includes(key) === true) continue;
      found.set(to, isTarget ? 'targets' : 'uses');
    }
    if (kind.graph === 'selected') {
      for (const by of selectors.matching(entry.namespace, entry.labels)) {
        if (!found.has(by)) found.set(by, 'selected');
      }
    }
    return [...found].map(([to, tie]) => ({ tie, to }));
  }
  for (const [key, one] of known) ties.set(key, tiesOf(key, one));

  const wanted = 'root' in scope ? closureOf(ties, keyOf(scope.root.kind, scope.root)) : all(known, ties);
  const members = new Set([...wanted].slice(0, limit));
  const rows = new Map<string, string>();
  const unfollowed = new Set<string>();
  for (const key of members) {
    const one = known.get(key);
    const own = (ties.get(key) ?? []).filter(({ to }) => members.has(to)).flatMap(({ tie, to }) => [tie, to]);
    if (one !== undefined) {
      const { kind, entry } = one;
      const status = statusOf(kind, entry) ?? null;
      rows.set(
        key,
        JSON.stringify([key, [kind.id, kind.kind, entry.namespace, entry.name, status, 'live', own]]),
      );
      continue;
    }
    const reference = readReference(key);
    const [state, kind, label] = named.get(key) ?? ['named', '', ''];
    if (state === 'named') unfollowed.add(kind);
    const status = state === 'missing' ? ['Not found', 'warn'] : null;
    rows.set(
      key,
      JSON.stringify([
        key,
        [kind, label, reference?.namespace ?? '', reference?.name ?? '', status, state, []],
      ]),
    );
  }
  return { rows, total: wanted.size, unfollowed };
}

/** The contents of a namespace, the rarest kinds first, and the cluster-scoped objects that they are tied to. */
function all(
  known: ReadonlyMap<string, KnownObject>,
  ties: ReadonlyMap<string, readonly Tie[]>,
): ReadonlySet<string> {
  const byKind = new Map<AnyKind, string[]>();
  for (const [key, { kind, entry }] of known) {
    if (entry.namespace === '') continue;
    const keys = byKind.get(kind);
    if (keys === undefined) byKind.set(kind, [key]);
    else keys.push(key);
  }
  const found = new Set([...byKind.values()].sort((a, b) => a.length - b.length).flat());
  // A set that is gone through gives what is added meanwhile as well: what the added ones name is found in turn.
  for (const key of found) for (const { to } of ties.get(key) ?? []) found.add(to);
  return found;
}
