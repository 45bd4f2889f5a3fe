import { orgRoles } from '../../../contract/permissions.ts';
import { Refusal } from '../../../registry/commands/refusal.ts';
import type { OrganisationWork, Toaster } from '../../../registry/commands/services.ts';
import type { DataPort } from '../../data/port.ts';
import { rereadOrganisation } from '../../data/reread-organisation.ts';
import type { OrganisationPort } from './port.ts';

/** Inputs of the acts besides what they are about. */
interface Parts extends Pick<DataPort, 'api' | 'queryClient' | 'queries'>, OrganisationPort {
  readonly toast: Toaster;
}

/** What Owners do to people and invitations, as `OrganisationWork` says. */
export function organisationActs(
  parts: Parts,
): Pick<OrganisationWork, 'act' | 'setRole' | 'addToTeam' | 'actOnInvitation'> {
  const { api, queryClient, queries, dialog, toast } = parts;
  const personOf = async (userId: number) => {
    // Asked anew: another Owner may have been quicker.
    const found = (await queryClient.fetchQuery({ ...queries.members, staleTime: 0 })).find(
      (one) => one.userId === userId,
    );
    if (found === undefined) throw new Refusal('This person is no longer in your organisation.');
    return found;
  };
  const invitationOf = async (inviteId: number) => {
    const { invitations } = await queryClient.fetchQuery({ ...queries.invitations, staleTime: 0 });
    const found = invitations.find((one) => one.inviteId === inviteId);
    if (found === undefined) throw new Refusal('This invitation no longer exists.');
    return found;
  };
  /** Makes a change, and reads the organisation anew, also after a failure. */
  const change = async (make: () => Promise<unknown>, done: string) => {
    try {
      await make();
      toast.success(done);
    } finally {
      await rereadOrganisation(parts);
    }
  };
  return {
    act: async (act, userId, source) => {
      const { name, isSuspended } = await personOf(userId);
      if (act === 'suspend' && isSuspended) throw new Refusal(`${name} is suspended already.`);
      if (act === 'letIn' && !isSuspended) throw new Refusal(`${name} is not suspended.`);
      if (act !== 'letIn' || source === 'key') {
        dialog.set({ type: 'ask', act, id: userId, name });
        return;
      }
      await change(
        () => api.changeMember({ params: { userId }, body: { isSuspended: false } }),
        `${name} is let in again`,
      );
    },
    setRole: async (userId, orgRole) => {
      const { name } = await personOf(userId);
      const role = orgRole === orgRoles.Owner ? 'Owner' : 'Member';
      await change(
        () => api.changeMember({ params: { userId }, body: { orgRole } }),
        `${name} is ${role} now`,
      );
    },
    addToTeam: async (userId, teamId, role) => {
      const { name } = await personOf(userId);
      const team = (await queryClient.ensureQueryData(queries.teams)).find(({ id }) => id === teamId);
      await change(
        () => api.setTeamMember({ params: { teamId }, body: { UserId: String(userId), Role: role } }),
        `${name} is in ${team?.name ?? 'the team'} now`,
      );
    },
    actOnInvitation: async (act, inviteId, source) => {
      const { email } = await invitationOf(inviteId);
      if (act === 'revoke' || source === 'key') {
        dialog.set({ type: 'ask', act, id: inviteId, name: email });
        return;
      }
      const sent = await api.resendInvitation({ params: { inviteId } });
      dialog.set({ type: 'sent', sent });
      await rereadOrganisation(parts);
    },
  };
}
