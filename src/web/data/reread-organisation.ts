import type { DataPort } from './port.ts';

/**
 * Reads teams, people, roles and clusters anew with what was asked about each, as a change of any of them may concern the
 * others. Lists come first: what they no longer name is not asked for again.
 */
export async function rereadOrganisation({
  queryClient,
  queries,
}: Pick<DataPort, 'queryClient' | 'queries'>): Promise<void> {
  const { teams, members, invitations, roles, ownReach, clusters, accessRequests } = queries;
  const { companyProviders, installationProviders } = queries;
  const list = async ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    await queryClient.invalidateQueries({ queryKey, exact: true });
  /** Those under the names, unless the list that was read lacks their id. */
  const details = async (names: readonly string[], listed: readonly number[] | undefined) =>
    await queryClient.invalidateQueries({
      predicate: ({ queryKey: [name, id] }) =>
        typeof name === 'string' &&
        names.includes(name) &&
        typeof id === 'number' &&
        listed?.includes(id) !== false,
    });
  await Promise.all([
    ...[invitations, roles, ownReach, accessRequests, companyProviders, installationProviders].map(list),
    list(teams).then(async () =>
      details(
        ['teams'],
        queryClient.getQueryData(teams.queryKey)?.map(({ id }) => id),
      ),
    ),
    list(members).then(async () =>
      details(
        ['members'],
        queryClient.getQueryData(members.queryKey)?.map(({ userId }) => userId),
      ),
    ),
    list(clusters).then(async () =>
      details(
        ['permissions', 'namespaces'],
        queryClient.getQueryData(clusters.queryKey)?.map(({ id }) => id),
      ),
    ),
  ]);
}
