import type { clusterSettingsEndpoints } from '../../contract/cluster-settings.ts';
import type { metricsSourceEndpoints } from '../../contract/metrics-source.ts';
import { Problem } from '../../contract/problem.ts';
import { peopleWithoutPasskey } from '../actions/grave-acts.ts';
import { changedFacts, settingFacts, settingsOf } from '../clusters/cluster-settings.ts';
import { describeSource } from '../clusters/metrics-source.ts';
import type { Context, Handlers } from '../http/handlers.ts';
import { takeActProof } from '../passkeys/act-proof.ts';
import { relyingParty } from '../passkeys/relying-party.ts';
import { requirePasskeysOf } from '../passkeys/without-passkey.ts';
import type { RouteParts } from './parts.ts';

type ReadyContext = Pick<
  Context<(typeof clusterSettingsEndpoints)['saveGlobalSettings']>,
  'person' | 'cluster' | 'origin'
>;

/** The rules of a cluster, set by an Owner. */
export function clusterSettingsHandlers(
  services: Pick<RouteParts, 'clusters' | 'grants' | 'store' | 'clock'>,
): Handlers<typeof clusterSettingsEndpoints> {
  const { clusters, store, clock } = services;

  /** Throws Problem unless the setter uses a passkey now, and everybody whom the rule binds has one. */
  const requireReady = async (isOn: boolean, { person, cluster, origin }: ReadyContext) => {
    const { id: host } = relyingParty(origin);
    if (isOn) {
      requirePasskeysOf(
        await peopleWithoutPasskey(services, cluster, host),
        `may do dangerous actions on ${cluster.name}`,
      );
    }
    await takeActProof(store.db, { person, origin, where: `This rule of ${cluster.name}` }, clock.now());
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
    globalSettings: (_request, { cluster }) => settingsOf(cluster),
    async saveGlobalSettings({ params, body }, { person, cluster, audit, origin }) {
      audit.subject({ ...settingFacts(body), name: cluster.name });
      const { isPasskeyRequired: isOn = cluster.isPasskeyRequired } = body;
      if (isOn !== cluster.isPasskeyRequired) await requireReady(isOn, { person, cluster, origin });
      const after = settingsOf(await clusters.configure(person, params.clusterId, body));
      audit.changed(settingFacts(settingsOf(cluster)), changedFacts(after, body));
      return after;
    },
  };
}

/** Trying a source of metrics before it is stored. */
export const metricsSourceHandlers = ({
  histories,
}: Pick<RouteParts, 'histories'>): Handlers<typeof metricsSourceEndpoints> => ({
  async testMetricsSource({ body }, { cluster, audit }) {
    audit.subject({ name: cluster.name, metrics: describeSource(body.metrics) });
    return await histories.test(cluster, body.metrics);
  },
});
