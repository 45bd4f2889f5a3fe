import type { clusterSettingsEndpoints, GlobalSettings } from '../../contract/cluster-settings.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../http/services.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';

const settingsOf = ({
  isProtected,
  isReadOnly,
  isShellAllowed,
  isShellRecorded,
  namespaces,
}: ClusterRow): GlobalSettings => ({
  isProtected,
  isReadOnly,
  isShellAllowed,
  isShellRecorded,
  namespaces,
});

/** The rules of a cluster, set by an Owner. */
export function clusterSettingsHandlers({
  clusters,
}: Pick<Services, 'clusters'>): Handlers<typeof clusterSettingsEndpoints> {
  return {
    globalSettings: (_request, { cluster }) => settingsOf(cluster),
    async saveGlobalSettings({ params, body }, { person, cluster, audit }) {
      const { namespaces, isShellRecorded, ...rules } = body;
      audit.subject({
        name: cluster.name,
        ...rules,
        ...(isShellRecorded === undefined ? {} : { isShellRecorded }),
        ...(namespaces === undefined ? {} : { namespaces: namespaces.join(', ') }),
      });
      const after = settingsOf(await clusters.configure(person, params.clusterId, body));
      const facts = ({ namespaces: names, ...rest }: GlobalSettings) => ({
        ...rest,
        namespaces: names.join(', '),
      });
      audit.changed(facts(settingsOf(cluster)), facts(after));
      return after;
    },
  };
}
