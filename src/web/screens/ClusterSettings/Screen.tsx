import { useQuery } from '@tanstack/react-query';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useData } from '../../data/port.ts';
import { ClusterSettingsPage } from '../../frame/ClusterSettingsPage.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { ScreenPending } from '../../kit/ScreenPending.tsx';
import { SetList } from '../../kit/SetCard.tsx';
import { ExcludedNamespaces } from './ExcludedNamespaces.tsx';
import { defaultsKey, ListDefaultsCard } from './ListDefaultsCard.tsx';
import { Webhooks } from './Webhooks.tsx';

/** `/clusters/:clusterId/settings/cluster`: how a person looks at a cluster. */
export function Screen({ params, command }: ScreenProps) {
  const { queries } = useData();
  const clusterId = Number(params.clusterId);
  const settings = useQuery(queries.userSettings(clusterId));
  return (
    <ClusterSettingsPage
      command={command}
      clusterId={clusterId}
      about={({ name }) => `Your own settings for ${name}. They affect nobody else`}
      mode="SETTINGS"
    >
      <ErrorAlert
        isDetailed
        error={settings.error}
        onRetry={() => void settings.refetch()}
        isRetrying={settings.isFetching}
      />
      {settings.data === undefined ? (
        !settings.isError && <ScreenPending isFramed />
      ) : (
        <SetList>
          <ExcludedNamespaces
            key={settings.data.excludedNamespaces.join(' ')}
            clusterId={clusterId}
            settings={settings.data}
          />
          <ListDefaultsCard key={defaultsKey(settings.data)} clusterId={clusterId} settings={settings.data} />
          <Webhooks clusterId={clusterId} webhooks={settings.data.webhooks} />
        </SetList>
      )}
    </ClusterSettingsPage>
  );
}
