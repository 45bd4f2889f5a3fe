import { readOnlyReason } from '../../contract/clusters.ts';
import type { Need } from '../../contract/permissions.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Reach } from './grants.ts';
import type { May } from './held.ts';
import { changePlace, viewPlace } from './place.ts';

/** Each permission that creating objects of a kind needs where they go: that of every creation, and the kind's own. */
export const creationNeeds = ({ permissions }: Pick<AnyKind, 'permissions'>): readonly Need[] => [
  'resources.manage',
  permissions.manage,
];

/** Whether somebody has each permission that creating objects of a kind in a namespace needs, whatever the cluster allows. */
export const holdsCreation = (
  may: May,
  kind: AnyKind,
  { namespace }: { readonly namespace?: string | undefined },
): boolean => creationNeeds(kind).every((need) => may(need, changePlace(kind, { namespace })));

/** Whether somebody may create objects of a kind in a namespace: never on a read-only cluster. */
export function mayCreate(
  { cluster, held }: Pick<Reach, 'cluster' | 'held'>,
  kind: AnyKind,
  of: { readonly namespace?: string | undefined },
): boolean {
  return readOnlyReason(cluster) === undefined && holdsCreation(held.may, kind, of);
}

/** Whether somebody has the permissions to read and to edit an object, whatever the cluster allows. */
export const holdsEdit = (
  may: May,
  kind: AnyKind,
  of: { readonly namespace?: string | undefined; readonly name: string },
): boolean =>
  kind.tools.includes('edit') &&
  may(kind.permissions.view, viewPlace(kind, of)) &&
  may(kind.permissions.manage, changePlace(kind, of));

/** Whether somebody may edit an object: never on a read-only cluster. */
export const mayEdit = (
  { cluster, held }: Pick<Reach, 'cluster' | 'held'>,
  kind: AnyKind,
  of: { readonly namespace?: string | undefined; readonly name: string },
): boolean => readOnlyReason(cluster) === undefined && holdsEdit(held.may, kind, of);
