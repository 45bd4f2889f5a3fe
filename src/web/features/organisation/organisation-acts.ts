import type { Member } from '../../../contract/members.ts';
import { type OrgRole, orgRoles } from '../../../contract/permissions.ts';
import { Refusal } from '../../../registry/commands/refusal.ts';
import type { OrganisationWork, Toaster } from '../../../registry/commands/services.ts';
import type { DataPort } from '../../data/port.ts';
import { rereadOrganisation } from '../../data/reread-organisation.ts';
import { askedActs } from './asked-acts.ts';
import { forEachPerson } from './for-each-person.ts';
import type { PersonOrInvitation, OrganisationPort } from './port.ts';

/** Inputs of the acts besides what they are about. */
interface Parts extends Pick<DataPort, 'api' | 'queryClient' | 'queries'>, OrganisationPort {
  readonly toast: Toaster;
}

const personOf = ({ userId, name }: Member): PersonOrInvitation => ({ id: userId, name });

/** Why somebody has to stay an Owner; undefined where the organisation has another one. */
function lastOwnerReason({ userId, name, orgRole }: Member, members: readonly Member[]): string | undefined {
  const hasOther = members.some(
    (one) => one.userId !== userId && one.orgRole === orgRoles.Owner && !one.isSuspended,
  );
  return orgRole !== orgRoles.Owner || hasOther
    ? undefined
    : `${name} is the last Owner of the organisation. Make somebody else an Owner first.`;
}

function roleWord(role: OrgRole, are: 'is' | 'are'): string {
  if (role === orgRoles.Owner) return 'Owner';
  return are === 'is' ? 'Member' : 'Members';
}

/** What Owners do to people and invitations, as `OrganisationWork` says. */
export function organisationActs(
  parts: Parts,
): Pick<OrganisationWork, 'act' | 'setRole' | 'addToTeam' | 'actOnInvitation'> {
  const { api, queryClient, queries, dialog, toast } = parts;
  /** Those of the people to whom an act may apply. @param why it does not, for one of them */
  const peopleOf = async (
    userIds: readonly number[],
    why: (member: Member, members: readonly Member[]) => string | undefined = () => undefined,
  ): Promise<readonly [PersonOrInvitation, ...PersonOrInvitation[]]> => {
    // Asked anew: another Owner may have been quicker.
    const members = await queryClient.fetchQuery({ ...queries.members, staleTime: 0 });
    const found = members.filter(({ userId }) => userIds.includes(userId));
    const [first] = found;
    if (first === undefined) throw new Refusal('This person is no longer in your organisation.');
    const [one, ...others] = found.filter((member) => why(member, members) === undefined);
    if (one === undefined) throw new Refusal(why(first, members) ?? '');
    return [personOf(one), ...others.map(personOf)];
  };
  const invitationOf = async (inviteId: number) => {
    const { invitations } = await queryClient.fetchQuery({ ...queries.invitations, staleTime: 0 });
    const found = invitations.find((one) => one.inviteId === inviteId);
    if (found === undefined) throw new Refusal('This invitation no longer exists.');
    return found;
  };
  /** Makes a change for each person, and reads the organisation anew, also after a failure. */
  const change = async (
    people: readonly [PersonOrInvitation, ...PersonOrInvitation[]],
    make: (userId: number) => Promise<unknown>,
    done: (text: string, are: 'is' | 'are') => string,
  ) => {
    try {
      await forEachPerson(people, make, { done, toast });
    } finally {
      await rereadOrganisation(parts);
    }
  };
  return {
    act: async (act, userIds, source) => {
      const people = await peopleOf(userIds, (member, members) => {
        const { name, isSuspended } = member;
        if (act === 'suspend' || act === 'remove') {
          const reason = lastOwnerReason(member, members);
          if (reason !== undefined) return reason;
        }
        if (act === 'suspend' && isSuspended) return `${name} is suspended already.`;
        return act === 'letIn' && !isSuspended ? `${name} is not suspended.` : undefined;
      });
      if (act !== 'letIn' || source === 'key' || people.length > 1) {
        dialog.set({ type: 'ask', act, about: people });
        return;
      }
      const { make, done } = askedActs[act];
      await change(people, (userId) => make(api, userId), done);
    },
    setRole: async (userIds, orgRole) => {
      const isOwner = orgRole === orgRoles.Owner;
      const people = await peopleOf(userIds, isOwner ? undefined : lastOwnerReason);
      if (isOwner && people.length > 1) throw new Refusal('Make people Owners one at a time.');
      await change(
        people,
        (userId) => api.changeMember({ params: { userId }, body: { orgRole } }),
        (text, are) => `${text} ${are} ${roleWord(orgRole, are)} now`,
      );
    },
    addToTeam: async (userIds, teamId, role) => {
      const people = await peopleOf(userIds);
      const team = (await queryClient.ensureQueryData(queries.teams)).find(({ id }) => id === teamId);
      await change(
        people,
        (userId) => api.setTeamMember({ params: { teamId }, body: { UserId: String(userId), Role: role } }),
        (text, are) => `${text} ${are} in ${team?.name ?? 'the team'} now`,
      );
    },
    actOnInvitation: async (act, inviteId, source) => {
      const { email } = await invitationOf(inviteId);
      if (act === 'revoke' || source === 'key') {
        dialog.set({ type: 'ask', act, about: [{ id: inviteId, name: email }] });
        return;
      }
      const sent = await api.resendInvitation({ params: { inviteId } });
      dialog.set({ type: 'sent', sent });
      await rereadOrganisation(parts);
    },
  };
}
