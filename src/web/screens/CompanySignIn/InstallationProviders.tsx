import { useQuery } from '@tanstack/react-query';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { GroupTeams } from './GroupTeams.tsx';

/** The providers of the installation that list groups, and what their groups give in the organisation. */
export function InstallationProviders() {
  const { api, queries, queryClient } = useData();
  const { queryKey } = queries.installationProviders;
  const providers = useQuery(queries.installationProviders);
  return (
    <>
      <ErrorAlert
        title="Could not load the providers of the installation."
        error={providers.error}
        onRetry={() => void providers.refetch()}
        isRetrying={providers.isFetching}
      />
      {providers.data?.map(({ key, label, groupTeams }) => (
        <SetCard key={key} title={`Groups of ${label}`}>
          <p className="text-text-2">
            The operator of this console lets people sign in by {label}. At each sign-in its groups give
            members of your organisation places in your teams.
          </p>
          <GroupTeams
            of={label}
            groupTeams={groupTeams}
            save={async (next) => {
              await api.mapInstallationGroups({ params: { provider: key }, body: { groupTeams: next } });
              await queryClient.invalidateQueries({ queryKey });
            }}
          />
        </SetCard>
      ))}
    </>
  );
}
