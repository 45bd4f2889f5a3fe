import { orgRoles } from '../../contract/permissions.ts';
import type { Team, teamEndpoints } from '../../contract/teams.ts';
import type { Member } from '../access/person.ts';
import { TeamClusters } from '../organisation/team-clusters.ts';
import { TeamMembers } from '../organisation/team-members.ts';
import { Teams } from '../organisation/teams.ts';
import type { Handlers } from '../http/handlers.ts';
import type { RouteParts } from './parts.ts';

/** The teams of a company. */
export function teamHandlers({ store }: Pick<RouteParts, 'store'>): Handlers<typeof teamEndpoints> {
  const teams = new Teams(store);
  const members = new TeamMembers(store);
  const reached = new TeamClusters(store);
  /** The namespaces of a cluster that a team reaches, for the audit. */
  const placesOf = async (person: Member, teamId: number, clusterId: number) => {
    const reach = (await reached.list(person, teamId)).find(({ id }) => id === clusterId);
    if (reach === undefined) return { namespaces: null };
    return { namespaces: reach.namespaces === null ? 'all' : reach.namespaces.join(', ') };
  };
  return {
    teams: (_request, { person }) => teams.list(person, person.orgRole === orgRoles.Owner),
    createTeam: async ({ body }, { person, audit }) => {
      audit.subject({ name: body.name });
      const team = await teams.create(person, body);
      audit.subject({ teamId: team.id });
      return team;
    },
    team: ({ params }, { person }) => teams.one(person, params.teamId),
    updateTeam: async ({ params, body }, { person, audit }) => {
      audit.subject({ name: body.name });
      const settingsOf = ({ name, description }: Team) => ({ name, description });
      const before = settingsOf(await teams.one(person, params.teamId));
      const after = await teams.update(person, params.teamId, body);
      audit.changed(before, settingsOf(after));
      return after;
    },
    deleteTeam: async ({ params: { teamId } }, { person, audit }) => {
      const { name } = await teams.one(person, teamId);
      const [people, places] = [await members.list(person, teamId), await reached.list(person, teamId)];
      audit.subject({
        name,
        members: people
          .filter(({ pending }) => !pending)
          .map(({ email }) => email)
          .join(', '),
        clusters: places.map((one) => one.name).join(', '),
      });
      await teams.delete(person, teamId);
      return undefined;
    },
    teamMembers: ({ params }, { person }) => members.list(person, params.teamId),
    teamCandidates: ({ params }, { person }) => members.candidates(person, params.teamId),
    setTeamMember: async ({ params, body }, { person, audit }) => {
      const userId = Number(body.UserId);
      audit.subject({ userId, role: body.Role });
      const before = (await members.list(person, params.teamId)).find((one) => one.userId === userId);
      const after = await members.set(person, params.teamId, {
        userId,
        role: body.Role,
      });
      audit.subject({ email: after.email });
      audit.changed({ role: before?.role ?? null }, { role: after.role });
      return after;
    },
    removeTeamMember: async ({ params }, { person, audit }) => {
      const before = (await members.list(person, params.teamId)).find((one) => one.userId === params.userId);
      await members.remove(person, params.teamId, params.userId);
      audit.changed({ role: before?.role ?? null }, { role: null });
      return undefined;
    },
    teamClusters: ({ params }, { person }) => reached.list(person, params.teamId),
    addTeamCluster: async ({ params, body }, { person, audit }) => {
      const clusterId = Number(body.clusterId);
      const { namespaces } = body;
      const named = namespaces === undefined ? {} : { namespaces: namespaces?.join(', ') ?? null };
      audit.subject({ clusterId, ...named });
      const before = await placesOf(person, params.teamId, clusterId);
      await reached.add(person, params.teamId, clusterId, namespaces);
      audit.changed(before, await placesOf(person, params.teamId, clusterId));
      return undefined;
    },
    removeTeamCluster: async ({ params }, { person, audit }) => {
      const before = await placesOf(person, params.teamId, params.clusterId);
      await reached.remove(person, params.teamId, params.clusterId);
      audit.changed(before, { namespaces: null });
      return undefined;
    },
  };
}
