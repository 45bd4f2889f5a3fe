import { builtInOfObject } from '../../../registry/kinds/builtin.ts';
import type { AnyKind, Kind } from '../../../registry/kinds/kind.ts';
import { formatResourceKey } from '../../../registry/kinds/resource-key.ts';
import { type Place, refOf } from './attention-lines.ts';
import type { Entry, Owner } from '../source/projector.ts';

/** Inputs for finding an object's workload. */
export interface OwnerSource {
  readonly kinds: readonly AnyKind[];
  /** An object of a kind, where this person may view the kind and the console reads it. */
  find(kind: AnyKind, uid: string): Entry | undefined;
}

const groupOf = (apiVersion: string) =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** The kinds between a kind's objects and their workloads: those that own it and are owned themselves. */
export function kindsBetween(kinds: readonly Kind[], kind: AnyKind): readonly Kind[] {
  const owners = (of: AnyKind) => kinds.filter(({ owns }) => owns?.includes(of.id) === true);
  return owners(kind).filter((owner) => owners(owner).length > 0);
}

/**
 * Where an object's trouble is shown: at what controls it, as far up as this person may look (Pod, ReplicaSet,
 * Deployment). A node does not control its static pods in this sense.
 */
export function placeOfTrouble(
  source: OwnerSource,
  kind: AnyKind,
  entry: Pick<Entry, 'uid' | 'namespace' | 'name' | 'owners'> & Partial<Pick<Entry, 'facts'>>,
): Place {
  const self: Place = { ref: refOf(kind, entry), uid: entry.uid, kind, facts: entry.facts };
  const [owner] = entry.owners;
  if (owner === undefined || kind.attention === undefined) return self;
  const found = source.kinds.find(
    (one) => one.kind === owner.kind && one.group === groupOf(owner.apiVersion),
  );
  if (found === undefined) return builtInPlace(owner, entry.namespace) ?? self;
  if (found.owns?.includes(kind.id) !== true) return self;
  const above = source.find(found, owner.uid);
  if (above !== undefined) return placeOfTrouble(source, found, above);
  return { ref: refOf(found, { ...entry, name: owner.name }), uid: owner.uid, kind: found };
}

/** A built-in workload without a kind file; custom controllers are left out, as their resource is not known. */
function builtInPlace(owner: Owner, namespace: string): Place | undefined {
  const resource = builtInOfObject(groupOf(owner.apiVersion), owner.kind);
  if (resource === undefined || resource.scope === 'Cluster') return undefined;
  const ref = { kind: formatResourceKey(resource), namespace, name: owner.name };
  return { ref, uid: owner.uid, kind: undefined };
}
