import { type Query, queryOptions } from '@tanstack/react-query';
import type { InvitationList } from '../../contract/invitations.ts';
import { auditQueries } from './audit-queries.ts';
import type { ApiClient } from './client.ts';

/** How often invitations are asked for again while a mail of theirs is under way (ms). */
const mailInterval = 1_000;

/** Keys and fetchers of teams and people: a part of `createQueries`. */
export function organisationQueries(api: ApiClient) {
  return {
    /** The own access requests, and those to decide on or to end; a change of grants has it asked again. */
    accessRequests: queryOptions({
      queryKey: ['access-requests'],
      staleTime: 30_000,
      queryFn: ({ signal }) => api.accessRequests({}, { signal }),
    }),
    /** The teams of the company: all for an Owner, their own for others. Invalidated as one with what they hold. */
    teams: queryOptions({
      queryKey: ['teams'],
      queryFn: ({ signal }) => api.teams({}, { signal }),
    }),
    teamMembers: (teamId: number) =>
      queryOptions({
        queryKey: ['teams', teamId, 'members'],
        queryFn: ({ signal }) => api.teamMembers({ params: { teamId } }, { signal }),
      }),
    teamClusters: (teamId: number) =>
      queryOptions({
        queryKey: ['teams', teamId, 'clusters'],
        queryFn: ({ signal }) => api.teamClusters({ params: { teamId } }, { signal }),
      }),
    /** The people who may join a team; for those who manage its members. */
    teamCandidates: (teamId: number) =>
      queryOptions({
        queryKey: ['teams', teamId, 'candidates'],
        queryFn: ({ signal }) => api.teamCandidates({ params: { teamId } }, { signal }),
      }),
    ...auditQueries(api),
    /** What each team role may do in the company. */
    roles: queryOptions({
      queryKey: ['roles'],
      queryFn: ({ signal }) => api.roles({}, { signal }),
    }),
    /** What the person reaches, by which teams, and what they may do there. */
    ownReach: queryOptions({
      queryKey: ['own-reach'],
      queryFn: ({ signal }) => api.ownReach({}, { signal }),
    }),
    /** The identity providers of the company; for Owners. */
    companyProviders: queryOptions({
      queryKey: ['company-providers'],
      queryFn: ({ signal }) => api.companyProviders({}, { signal }),
    }),
    /** The providers of the installation that list groups; for Owners. */
    installationProviders: queryOptions({
      queryKey: ['installation-providers'],
      queryFn: ({ signal }) => api.installationProviders({}, { signal }),
    }),
    /** The people of the company; for Owners. */
    members: queryOptions({
      queryKey: ['members'],
      queryFn: ({ signal }) => api.members({}, { signal }),
    }),
    /** Invitations that are open, expired or rejected, and who asks for one; for Owners. */
    invitations: queryOptions({
      queryKey: ['invitations'],
      queryFn: ({ signal }) => api.invitations({}, { signal }),
      refetchInterval: ({ state }: Query<InvitationList>) =>
        state.data?.invitations.some(({ mail }) => mail === 'sending') === true ? mailInterval : false,
    }),
    /** The company of the session; for Owners. */
    company: queryOptions({
      queryKey: ['company'],
      queryFn: ({ signal }) => api.company({}, { signal }),
    }),
    /** The address of the own account, and whether it was shown to be the own. */
    ownAddress: queryOptions({
      queryKey: ['own-address'],
      queryFn: ({ signal }) => api.ownAddress({}, { signal }),
    }),
    /** The companies of the person. */
    ownCompanies: queryOptions({
      queryKey: ['own-companies'],
      queryFn: ({ signal }) => api.ownCompanies({}, { signal }),
    }),
    /** The invitations that wait for the person. */
    pendingInvitations: queryOptions({
      queryKey: ['pending-invitations'],
      queryFn: ({ signal }) => api.pendingInvitations({}, { signal }),
    }),
    /** One of them, with what they reach; for Owners. */
    member: (userId: number) =>
      queryOptions({
        queryKey: ['members', userId],
        queryFn: ({ signal }) => api.member({ params: { userId } }, { signal }),
      }),
  };
}
