import type { notificationEndpoints } from '../../contract/notifications.ts';
import { Problem } from '../../contract/problem.ts';
import type { Handlers } from '../http/handlers.ts';
import { requireFollowable } from '../notifications/follow-target.ts';
import { Follows } from '../notifications/follows.ts';
import { StoredNotifications } from '../notifications/notifications.ts';
import type { RouteParts } from './parts.ts';

/** What people follow, and what they were told of it: each person's own. */
export function notificationHandlers({
  store,
  grants,
  kinds,
}: Pick<RouteParts, 'store' | 'grants' | 'kinds'>): Handlers<typeof notificationEndpoints> {
  const follows = new Follows({ store, grants });
  const notifications = new StoredNotifications({ store, grants });

  return {
    notifications: (_, { person }) => notifications.list(person),

    async changeNotifications({ body: { ids, change } }, { person }) {
      await notifications.change(person, ids, change);
      return undefined;
    },

    follows: (_, { person }) => follows.list(person),

    async follow({ body: { isUntilReady, alerts, ...target } }, { person, cluster }) {
      if (alerts !== undefined && (isUntilReady || target.object !== undefined))
        throw new Problem({
          status: 400,
          title: 'Alerts are about a cluster or a namespace. Follow an object without them.',
        });
      const reach = await grants.access(person, cluster.id);
      const found = await requireFollowable({ reach, kinds }, target, isUntilReady);
      return await follows.add(person, cluster, found, {
        isUntilReady,
        ...(alerts === undefined ? {} : { alerts }),
      });
    },

    async unfollow({ params: { followId } }, { person }) {
      await follows.remove(person, followId);
      return undefined;
    },
  };
}
