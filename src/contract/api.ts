import { accessRequestEndpoints } from './access-requests.ts';
import { acknowledgementEndpoints } from './acknowledgements.ts';
import { accountEndpoints } from './account.ts';
import { auditEndpoints } from './audit.ts';
import { auditStreamEndpoints } from './audit-stream.ts';
import { chatEndpoints } from './chat.ts';
import { chatModelEndpoints } from './chat-model.ts';
import { clusterSettingsEndpoints } from './cluster-settings.ts';
import { clusterEndpoints } from './clusters.ts';
import { companyEndpoints } from './companies.ts';
import { compareEndpoints } from './compare.ts';
import { countEndpoints } from './counts.ts';
import { customResourceEndpoints } from './custom-resources.ts';
import { diagnosisEndpoints } from './diagnosis.ts';
import { draftEndpoints } from './drafts.ts';
import { filterEndpoints } from './filters.ts';
import { invitationEndpoints } from './invitations.ts';
import { jobEndpoints } from './jobs.ts';
import { editEndpoints } from './edit.ts';
import { keymapEndpoints } from './keymap.ts';
import { notificationEndpoints } from './notifications.ts';
import { ownAddressEndpoints } from './own-address.ts';
import { passkeyEndpoints } from './passkeys.ts';
import { preferencesEndpoints } from './preferences.ts';
import { manifestEndpoints } from './manifests.ts';
import { memberEndpoints } from './members.ts';
import { metricsSourceEndpoints } from './metrics-source.ts';
import { namespaceEndpoints } from './namespaces.ts';
import { actionEndpoints, objectEndpoints } from './objects.ts';
import { recordingEndpoints } from './recordings.ts';
import { releaseEndpoints } from './releases.ts';
import { roleEndpoints } from './roles.ts';
import { providerEndpoints } from './providers.ts';
import { resetEndpoints } from './reset.ts';
import { schemaEndpoints } from './schemas.ts';
import { searchEndpoints } from './search.ts';
import { secretEndpoints } from './secrets.ts';
import { sessionEndpoints } from './sessions.ts';
import { signInEndpoints } from './sign-in.ts';
import { subscriptionEndpoints } from './subscription.ts';
import { systemEndpoints } from './system.ts';
import { teamEndpoints } from './teams.ts';
import { tokenEndpoints } from './tokens.ts';
import { usageEndpoints } from './usage.ts';
import { userSettingsEndpoints } from './user-settings.ts';
import { webhookEndpoints } from './webhooks.ts';

/** Every call of the console's API. Handlers, client, permission checks, tests and OpenAPI derive from it. */
export const api = {
  ...accountEndpoints,
  ...signInEndpoints,
  ...sessionEndpoints,
  ...tokenEndpoints,
  ...passkeyEndpoints,
  ...resetEndpoints,
  ...providerEndpoints,
  ...keymapEndpoints,
  ...preferencesEndpoints,
  ...ownAddressEndpoints,
  ...clusterEndpoints,
  ...clusterSettingsEndpoints,
  ...metricsSourceEndpoints,
  ...userSettingsEndpoints,
  ...webhookEndpoints,
  ...notificationEndpoints,
  ...acknowledgementEndpoints,
  ...namespaceEndpoints,
  ...customResourceEndpoints,
  ...countEndpoints,
  ...chatEndpoints,
  ...chatModelEndpoints,
  ...objectEndpoints,
  ...actionEndpoints,
  ...manifestEndpoints,
  ...editEndpoints,
  ...compareEndpoints,
  ...draftEndpoints,
  ...filterEndpoints,
  ...jobEndpoints,
  ...secretEndpoints,
  ...releaseEndpoints,
  ...schemaEndpoints,
  ...searchEndpoints,
  ...usageEndpoints,
  ...diagnosisEndpoints,
  ...subscriptionEndpoints,
  ...systemEndpoints,
  ...teamEndpoints,
  ...memberEndpoints,
  ...roleEndpoints,
  ...invitationEndpoints,
  ...companyEndpoints,
  ...auditEndpoints,
  ...auditStreamEndpoints,
  ...recordingEndpoints,
  ...accessRequestEndpoints,
} as const;

export type Api = typeof api;
export type ApiName = keyof Api;
