import type { Ref } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { type Reach, requireHeld } from '../access/grants.ts';
import { viewPlace } from '../access/place.ts';
import { addressOf } from '../objects/address.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { NamedObject } from './available.ts';

/** Kinds in one call: each may have to be looked up on the cluster. */
const kindsLimit = 20;

/** The objects of some references with their kinds, without those of kinds that are unknown. Throws Problem 400. */
export async function withKinds(
  kinds: KindCatalogue,
  cluster: Pick<ClusterRow, 'id' | 'name'>,
  refs: readonly Ref[],
): Promise<NamedObject[]> {
  const names = [...new Set(refs.map(({ kind }) => kind))];
  if (names.length > kindsLimit)
    throw new Problem({ status: 400, title: `One call takes objects of at most ${kindsLimit} kinds.` });
  const found = new Map<string, AnyKind>();
  for (const name of names) found.set(name, await kinds.find(cluster, name));
  return refs.flatMap((ref) => {
    const kind = found.get(ref.kind);
    return kind === undefined ? [] : [{ ref, kind }];
  });
}

/** The kinds of some objects, each once. */
export const kindsOf = (named: readonly NamedObject[]): readonly AnyKind[] => [
  ...new Set(named.map(({ kind }) => kind)),
];

/**
 * Throws Problem 403 unless all objects may be viewed, as the verdict on an action reveals something of its object, and
 * Problem 400 for one that has no address.
 */
export function requireView(reach: Reach, named: readonly NamedObject[]): void {
  for (const { kind, ref } of named) requireHeld(reach, kind.permissions.view, viewPlace(kind, ref));
  for (const { kind, ref } of named) addressOf(kind, ref);
}
