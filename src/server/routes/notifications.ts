import { kindById } from '../../../commands/kinds/index.ts';
import type { FollowTarget, notificationEndpoints } from '../../contract/notifications.ts';
import { Problem } from '../../contract/problem.ts';
import { requireHeld } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import { isNamespaceKind, viewPlace } from '../access/place.ts';
import type { Handlers } from '../http/handlers.ts';
import { Follows } from '../notifications/follows.ts';
import { StoredNotifications } from '../notifications/notifications.ts';
import { addressOf } from '../objects/address.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { RouteParts } from './parts.ts';

/** What people follow, and what they were told of it: each person's own. */
export function notificationHandlers({
  store,
  grants,
  kinds,
}: Pick<RouteParts, 'store' | 'grants' | 'kinds'>): Handlers<typeof notificationEndpoints> {
  const follows = new Follows({ store, grants });
  const notifications = new StoredNotifications({ store, grants });

  /** The target by the kind's own id. Throws Problem for what the person may not view, or that is no target. */
  const visible = async (
    person: Member,
    cluster: ClusterRow,
    { object, namespace }: FollowTarget,
    isUntilReady: boolean,
  ): Promise<FollowTarget> => {
    const reach = await grants.access(person, cluster.id);
    if (object !== undefined && namespace !== undefined)
      throw new Problem({ status: 400, title: 'Name either an object or a namespace to follow.' });
    if (isUntilReady && (object === undefined || kindById(object.kind)?.status === undefined))
      throw new Problem({ status: 400, title: 'Only objects with a status can become ready.' });
    if (namespace !== undefined) {
      requireHeld(reach, 'namespaces.view', { namespace });
      return { namespace };
    }
    if (object === undefined) return {};
    const kind = await kinds.find(cluster, object.kind);
    requireHeld(reach, kind.permissions.view, viewPlace(kind, object));
    addressOf(kind, object);
    return isNamespaceKind(kind) ? { namespace: object.name } : { object: { ...object, kind: kind.id } };
  };

  return {
    notifications: (_, { person }) => notifications.list(person),

    async changeNotifications({ body: { ids, change } }, { person }) {
      await notifications.change(person, ids, change);
      return undefined;
    },

    follows: (_, { person }) => follows.list(person),

    async follow({ body: { isUntilReady, ...target } }, { person, cluster }) {
      const found = await visible(person, cluster, target, isUntilReady);
      return await follows.add(person, cluster, found, isUntilReady);
    },

    async unfollow({ params: { followId } }, { person }) {
      await follows.remove(person, followId);
      return undefined;
    },
  };
}
