import type { SubscribeDashboard, SubscribeList, SubscribeObject } from '../../contract/live.ts';
import type { Need } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Kind } from '../../registry/kind.ts';
import type { Access } from './access.ts';
import type { Channel, Outlet } from './channel.ts';
import type { Clock } from './clock.ts';
import type { ClusterLive } from './cluster.ts';
import { createDashboardChannel } from './dashboard/channel.ts';
import { createListChannel } from './list-channel.ts';
import { createObjectChannel } from './object-channel.ts';
import { sortColumn } from './view.ts';

/** A message that asks for a subscription. */
export type SubscribeMessage = SubscribeList | SubscribeObject | SubscribeDashboard;

/** What a subscription needs of whom it is opened for. */
export interface Plan {
  /** Only that the person reaches the cluster without it. */
  readonly need: Need | undefined;
  /** Opens it for a person who has what is needed. Throws Problem. */
  open(parts: OpenParts): Channel;
}

export interface OpenParts {
  readonly outlet: Outlet;
  readonly live: ClusterLive;
  readonly access: Access;
  readonly clock: Clock;
}

/** Reads what is asked for. Throws Problem 400 or 404 for what no cluster could answer. */
export function planOf(message: SubscribeMessage, kindById: (id: string) => Kind | undefined): Plan {
  if ('dashboard' in message) {
    return {
      need: undefined,
      open: ({ outlet, live, access }) => createDashboardChannel(message.id, outlet, live.board, access),
    };
  }
  const kind = kindById(message.kind);
  if (kind === undefined) {
    throw new Problem({ status: 404, title: 'This console does not know that kind of resource.' });
  }
  const need = kind.permissions.view;
  if ('name' in message) {
    if ((kind.scope === 'Namespaced') !== (message.namespace !== undefined)) {
      throw new Problem({
        status: 400,
        title:
          kind.scope === 'Cluster'
            ? `${kind.title} have no namespace.`
            : `Say the namespace: ${kind.title} have one.`,
      });
    }
    return {
      need,
      open: ({ outlet, live, access, clock }) =>
        createObjectChannel(outlet, { live, kind, message, clock }, access),
    };
  }
  if (message.sort !== undefined && sortColumn(kind, message.sort) === undefined) {
    throw new Problem({
      status: 400,
      title: `${kind.title} cannot be sorted by “${message.sort}”: there is no such column.`,
    });
  }
  return {
    need,
    open: ({ outlet, live, access }) => createListChannel(outlet, live.feed(kind), message, access),
  };
}
