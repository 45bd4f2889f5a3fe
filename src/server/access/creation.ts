import { readOnlyReason } from '../../contract/clusters.ts';
import type { Need } from '../../contract/permissions.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Reach } from './grants.ts';
import { changePlace } from './place.ts';

/** Each permission that creating objects of a kind needs where they go: that of every creation, and the kind's own. */
export const creationNeeds = ({ permissions }: Pick<AnyKind, 'permissions'>): readonly Need[] => [
  'resources.manage',
  permissions.manage,
];

/** Whether somebody may create objects of a kind in a namespace: never on a read-only cluster. */
export function mayCreate(
  { cluster, held }: Pick<Reach, 'cluster' | 'held'>,
  kind: AnyKind,
  { namespace }: { readonly namespace?: string | undefined },
): boolean {
  const place = changePlace(kind, { namespace });
  return readOnlyReason(cluster) === undefined && creationNeeds(kind).every((need) => held.may(need, place));
}
