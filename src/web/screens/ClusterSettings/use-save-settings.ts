import type { UserSettings } from '../../../contract/user-settings.ts';
import { useData } from '../../data/port.ts';

/** Saves some of a person's settings of a cluster; the others stay as they are stored. Throws Problem. */
export function useSaveSettings(
  clusterId: number,
  settings: UserSettings,
): (changed: Partial<Omit<UserSettings, 'webhooks'>>) => Promise<void> {
  const { api, queries, queryClient } = useData();
  return async (changed) => {
    const { excludedNamespaces } = settings;
    const saved = await api.saveUserSettings({
      params: { clusterId },
      body: { excludedNamespaces, ...changed },
    });
    queryClient.setQueryData(queries.userSettings(clusterId).queryKey, saved);
    await queryClient.invalidateQueries({ queryKey: queries.clusters.queryKey, exact: true });
  };
}
