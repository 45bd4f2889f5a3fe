import type {
  clusterSettingsEndpoints,
  GlobalSettings,
  GlobalSettingsChange,
} from '../../contract/cluster-settings.ts';
import type { metricsSourceEndpoints } from '../../contract/metrics-source.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import { peopleWithoutPasskey } from '../actions/grave-acts.ts';
import { describeSource, isCredentialEntered, metricsSourceOf } from '../clusters/metrics-source.ts';
import type { Handlers } from '../http/handlers.ts';
import { takeActProof } from '../passkeys/act-proof.ts';
import { relyingParty } from '../passkeys/relying-party.ts';
import { requirePasskeysOf } from '../passkeys/without-passkey.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { RouteParts } from './parts.ts';

const settingsOf = (row: ClusterRow): GlobalSettings => ({
  name: row.name,
  description: row.description,
  environment: row.environment,
  colour: row.colour,
  isProtected: row.isProtected,
  isPasskeyRequired: row.isPasskeyRequired,
  isReadOnly: row.isReadOnly,
  isShellAllowed: row.isShellAllowed,
  isShellRecorded: row.isShellRecorded,
  isImpersonating: row.isImpersonating,
  namespaces: row.namespaces,
  excludedNamespaces: row.excludedNamespaces,
  chatMode: row.chatMode,
  metrics: metricsSourceOf(row),
});

/** The settings as the audit has them: each is one plain value. */
const factsOf = ({
  metrics,
  ...settings
}: GlobalSettingsChange): Readonly<Record<string, string | number | boolean>> => ({
  ...Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  ),
  // In words: what was entered may hold a credential.
  ...(metrics === undefined ? {} : { metrics: describeSource(metrics) }),
});

/** The rules of a cluster, set by an Owner. */
export function clusterSettingsHandlers(
  services: Pick<RouteParts, 'clusters' | 'grants' | 'store' | 'histories' | 'now'>,
): Handlers<typeof clusterSettingsEndpoints & typeof metricsSourceEndpoints> {
  const { clusters, store, histories, now } = services;

  /** Throws Problem unless the setter uses a passkey now, and everybody whom the rule binds has one. */
  const requireReady = async (cluster: ClusterRow, person: Member, origin: string, isOn: boolean) => {
    const { id: host } = relyingParty(origin);
    if (isOn) {
      requirePasskeysOf(
        await peopleWithoutPasskey(services, cluster, host),
        `may do dangerous actions on ${cluster.name}`,
      );
    }
    await takeActProof(store.db, { person, origin, where: `This rule of ${cluster.name}` }, now());
  };

  return {
    async passkeyReadiness(_request, { cluster, origin }) {
      try {
        const { id: host } = relyingParty(origin);
        return { without: await peopleWithoutPasskey(services, cluster, host), unavailable: null };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return { without: [], unavailable: error.title };
      }
    },
    async testMetricsSource({ body }, { cluster, audit }) {
      audit.subject({ name: cluster.name, metrics: describeSource(body.metrics) });
      return await histories.test(cluster, body.metrics);
    },
    globalSettings: (_request, { cluster }) => settingsOf(cluster),
    async saveGlobalSettings({ params, body }, { person, cluster, audit, origin }) {
      audit.subject({ ...factsOf(body), name: cluster.name });
      const { isPasskeyRequired: isOn = cluster.isPasskeyRequired } = body;
      if (isOn !== cluster.isPasskeyRequired) await requireReady(cluster, person, origin, isOn);
      const after = settingsOf(await clusters.configure(person, params.clusterId, body));
      audit.changed(factsOf(settingsOf(cluster)), {
        ...factsOf(after),
        // What is stored does not say that the credential is another one.
        ...(body.metrics !== undefined && isCredentialEntered(body.metrics)
          ? { metrics: describeSource(after.metrics, true) }
          : {}),
      });
      return after;
    },
  };
}
