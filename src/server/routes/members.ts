import type { MemberDetail, memberEndpoints } from '../../contract/members.ts';
import { orgRoles } from '../../contract/permissions.ts';
import type { Handlers } from '../http/handlers.ts';
import { Members } from '../organisation/members.ts';
import { heldPlaces } from '../organisation/offered-words.ts';
import type { RouteParts } from './parts.ts';

/** The people of a company. */
export function memberHandlers(
  parts: Pick<RouteParts, 'store' | 'grants' | 'limits'>,
): Handlers<typeof memberEndpoints> {
  const { store } = parts;
  const members = new Members(parts);
  return {
    members: (_request, { person }) => members.list(person),
    member: ({ params }, { person }) => members.one(person, params.userId),
    changeMember: async ({ params, body }, { person, audit }) => {
      const roleAndState = ({ orgRole, isSuspended }: MemberDetail) => ({
        orgRole: orgRole === orgRoles.Owner ? 'Owner' : 'Member',
        isSuspended,
      });
      const before = await members.one(person, params.userId);
      audit.subject({
        email: before.email,
        ...(body.orgRole === undefined ? {} : { orgRole: body.orgRole }),
        ...(body.isSuspended === undefined ? {} : { isSuspended: body.isSuspended }),
      });
      const after = await members.change(person, params.userId, body);
      audit.changed(roleAndState(before), roleAndState(after));
      return after;
    },
    removeMember: async ({ params }, { person, audit }) => {
      const { email } = await members.one(person, params.userId);
      audit.subject({
        email,
        ending: params.userId === person.id ? 'left' : 'removed',
        teams: await heldPlaces(store.db, person.companyId, params.userId),
      });
      await members.remove(person, params.userId);
      return undefined;
    },
    endMemberSessions: async ({ params }, { person }) => {
      await members.endSessions(person, params.userId);
      return undefined;
    },
    leaveCompany: async (_request, { person, audit, session }) => {
      const teams = await heldPlaces(store.db, person.companyId, person.id);
      audit.subject({ userId: person.id, ending: 'left', teams });
      await members.remove(person, person.id);
      await session.end();
      return undefined;
    },
  };
}
