import type { roleEndpoints } from '../../contract/roles.ts';
import type { Handlers } from '../http/handlers.ts';
import { reachOf } from '../organisation/reach.ts';
import { Roles } from '../organisation/roles.ts';
import { whyNot } from '../organisation/why-not.ts';
import type { RouteParts } from './parts.ts';

/** The roles of a company, and what people may learn about their own permissions. */
export function roleHandlers(services: Pick<RouteParts, 'store' | 'grants'>): Handlers<typeof roleEndpoints> {
  const { store, grants } = services;
  const roles = new Roles(store);
  return {
    roles: (_request, { person }) => roles.list(person),
    changeRole: async ({ params, body }, { person, audit }) => {
      audit.subject({ role: params.roleId });
      const { before, after } = await roles.change(person, params.roleId, body.permissions);
      audit.changed(
        { permissions: before.permissions.join(', ') },
        { permissions: after.permissions.join(', ') },
      );
      return after;
    },
    ownReach: (_request, { person }) => reachOf(store, grants, person),
    whyNot: ({ query }, { person }) => whyNot(services, person, query),
  };
}
