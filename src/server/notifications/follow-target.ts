import { kindById } from '../../../commands/kinds/index.ts';
import type { FollowTarget } from '../../contract/notifications.ts';
import { Problem } from '../../contract/problem.ts';
import { type Reach, requireHeld } from '../access/grants.ts';
import { isNamespaceKind, viewPlace } from '../access/place.ts';
import { addressOf } from '../objects/address.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';

/**
 * The target that somebody asks to follow, by the kind's own id. Throws Problem 400 for what is no target, and 403 for what
 * the person may not view.
 */
export async function requireFollowable(
  { reach, kinds }: { readonly reach: Reach; readonly kinds: KindCatalogue },
  { object, namespace }: FollowTarget,
  isUntilReady: boolean,
): Promise<FollowTarget> {
  if (object !== undefined && namespace !== undefined)
    throw new Problem({ status: 400, title: 'Name either an object or a namespace to follow.' });
  if (isUntilReady && (object === undefined || kindById(object.kind)?.status === undefined))
    throw new Problem({ status: 400, title: 'Only objects with a status can become ready.' });
  if (namespace !== undefined) {
    requireHeld(reach, 'namespaces.view', { namespace });
    return { namespace };
  }
  if (object === undefined) return {};
  const kind = await kinds.find(reach.cluster, object.kind);
  requireHeld(reach, kind.permissions.view, viewPlace(kind, object));
  addressOf(kind, object);
  return isNamespaceKind(kind) ? { namespace: object.name } : { object: { ...object, kind: kind.id } };
}
