import type { DataPort } from './port.ts';

/**
 * Reads teams, people, roles and clusters anew, as a change of any of them may concern the others. Lists come first: what
 * they no longer name is not asked for again.
 */
export async function rereadOrganisation({
  queryClient,
  queries,
}: Pick<DataPort, 'queryClient' | 'queries'>): Promise<void> {
  const { teams, members, invitations, roles, ownReach, clusters } = queries;
  await Promise.all(
    [teams, members, invitations, roles, ownReach, clusters].map(({ queryKey }) =>
      queryClient.invalidateQueries({ queryKey, exact: true }),
    ),
  );
  const listed: Readonly<Record<string, readonly number[] | undefined>> = {
    teams: queryClient.getQueryData(teams.queryKey)?.map(({ id }) => id),
    members: queryClient.getQueryData(members.queryKey)?.map(({ userId }) => userId),
  };
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [list, id] }) =>
      (list === 'teams' || list === 'members') &&
      typeof id === 'number' &&
      listed[list]?.includes(id) !== false,
  });
}
