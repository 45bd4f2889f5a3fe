import { accessRequestEndpoints } from './access-requests.ts';
import { acknowledgementEndpoints } from './acknowledgements.ts';
import { accountEndpoints } from './account.ts';
import { alertEndpoints } from './alerts.ts';
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
import { fleetEndpoints } from './fleet.ts';
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
import { writerEndpoints } from './writers.ts';

/**
 * The areas of the API, by the files of their routes. `src/server/routes/areas.ts` has the handlers of each under the same
 * name, and does not compile without one of them.
 */
const apiAreas = {
  account: accountEndpoints,
  signIn: signInEndpoints,
  sessions: sessionEndpoints,
  tokens: tokenEndpoints,
  passkeys: passkeyEndpoints,
  reset: resetEndpoints,
  providers: providerEndpoints,
  keymap: keymapEndpoints,
  preferences: preferencesEndpoints,
  ownAddress: ownAddressEndpoints,
  clusters: clusterEndpoints,
  clusterSettings: clusterSettingsEndpoints,
  metricsSource: metricsSourceEndpoints,
  userSettings: userSettingsEndpoints,
  webhooks: webhookEndpoints,
  notifications: notificationEndpoints,
  alerts: alertEndpoints,
  acknowledgements: acknowledgementEndpoints,
  namespaces: namespaceEndpoints,
  customResources: customResourceEndpoints,
  counts: countEndpoints,
  fleet: fleetEndpoints,
  chat: chatEndpoints,
  chatModel: chatModelEndpoints,
  objects: objectEndpoints,
  actions: actionEndpoints,
  manifests: manifestEndpoints,
  edit: editEndpoints,
  writers: writerEndpoints,
  compare: compareEndpoints,
  drafts: draftEndpoints,
  filters: filterEndpoints,
  jobs: jobEndpoints,
  secrets: secretEndpoints,
  releases: releaseEndpoints,
  schemas: schemaEndpoints,
  search: searchEndpoints,
  usage: usageEndpoints,
  diagnosis: diagnosisEndpoints,
  subscription: subscriptionEndpoints,
  system: systemEndpoints,
  teams: teamEndpoints,
  members: memberEndpoints,
  roles: roleEndpoints,
  invitations: invitationEndpoints,
  companies: companyEndpoints,
  audit: auditEndpoints,
  auditStream: auditStreamEndpoints,
  recordings: recordingEndpoints,
  accessRequests: accessRequestEndpoints,
} as const;

export type ApiAreas = typeof apiAreas;

/** All members of the parts of a record. */
type Joined<Parts> = (
  Parts[keyof Parts] extends infer Part
    ? Part extends unknown
      ? (part: Part) => void
      : never
    : never
) extends (all: infer All) => void
  ? { readonly [Name in keyof All]: All[Name] }
  : never;

export type Api = Joined<ApiAreas>;
export type ApiName = keyof Api;

/** Every call of the console's API. Handlers, client, permission checks, tests and OpenAPI derive from it. */
export const api = Object.assign({}, ...Object.values(apiAreas)) as Api;
