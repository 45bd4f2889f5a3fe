import type { memberEndpoints } from '../../contract/members.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../http/services.ts';
import { Members } from '../organisation/members.ts';

/** The people of a company. */
export function memberHandlers(
  services: Pick<Services, 'store' | 'grants'>,
): Handlers<typeof memberEndpoints> {
  const members = new Members(services);
  return {
    members: (_request, { person }) => members.list(person),
    member: ({ params }, { person }) => members.one(person, params.userId),
    changeMember: ({ params, body }, { person, audit }) => {
      audit.subject({
        ...(body.orgRole === undefined ? {} : { orgRole: body.orgRole }),
        ...(body.isSuspended === undefined ? {} : { isSuspended: body.isSuspended }),
      });
      return members.change(person, params.userId, body);
    },
    removeMember: async ({ params }, { person, audit }) => {
      audit.subject({ ending: params.userId === person.id ? 'left' : 'removed' });
      await members.remove(person, params.userId);
      return undefined;
    },
    endMemberSessions: async ({ params }, { person }) => {
      await members.endSessions(person, params.userId);
      return undefined;
    },
    leaveCompany: async (_request, { person, audit, session }) => {
      audit.subject({ userId: person.id, ending: 'left' });
      await members.remove(person, person.id);
      await session.end();
      return undefined;
    },
  };
}
