import type { GlobalSettings, GlobalSettingsChange } from '../../contract/cluster-settings.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { describeSource, isCredentialEntered, metricsSourceOf } from './metrics-source.ts';

type Facts = Readonly<Record<string, string | number | boolean>>;

/** The settings of a cluster as Owners see them. */
export const settingsOf = (row: ClusterRow): GlobalSettings => ({
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
export const settingFacts = ({ metrics, ...settings }: GlobalSettingsChange): Facts => ({
  ...Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  ),
  // In words: what was entered may hold a credential.
  ...(metrics === undefined ? {} : { metrics: describeSource(metrics) }),
});

/** The settings as the audit has them after a change of them. */
export const changedFacts = (after: GlobalSettings, { metrics }: GlobalSettingsChange): Facts => ({
  ...settingFacts(after),
  // The stored settings do not show that the credential is another one.
  ...(metrics !== undefined && isCredentialEntered(metrics)
    ? { metrics: describeSource(after.metrics, true) }
    : {}),
});
