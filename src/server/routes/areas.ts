import type { Api, ApiAreas } from '../../contract/api.ts';
import type { Handlers } from '../http/handlers.ts';
import { accessRequestHandlers } from './access-requests.ts';
import { accountHandlers } from './account.ts';
import { acknowledgementHandlers } from './acknowledgements.ts';
import { actionHandlers } from './actions.ts';
import { alertHandlers } from './alerts.ts';
import { auditHandlers } from './audit.ts';
import { auditStreamHandlers } from './audit-stream.ts';
import { chatHandlers } from './chat.ts';
import { chatModelHandlers } from './chat-model.ts';
import { clusterHandlers } from './clusters.ts';
import { clusterSettingsHandlers, metricsSourceHandlers } from './cluster-settings.ts';
import { companyHandlers } from './companies.ts';
import { compareHandlers } from './compare.ts';
import { countHandlers } from './counts.ts';
import { customResourceHandlers } from './custom-resources.ts';
import { diagnosisHandlers } from './diagnosis.ts';
import { draftHandlers } from './drafts.ts';
import { editHandlers } from './edit.ts';
import { filterHandlers } from './filters.ts';
import { fleetHandlers } from './fleet.ts';
import { invitationHandlers } from './invitations.ts';
import { jobHandlers } from './jobs.ts';
import { keymapHandlers } from './keymap.ts';
import { manifestHandlers } from './manifests.ts';
import { memberHandlers } from './members.ts';
import { namespaceHandlers } from './namespaces.ts';
import { notificationHandlers } from './notifications.ts';
import { objectHandlers } from './objects.ts';
import { ownAddressHandlers } from './own-address.ts';
import type { RouteParts } from './parts.ts';
import { passkeyHandlers } from './passkeys.ts';
import { preferencesHandlers } from './preferences.ts';
import { providerHandlers } from './providers.ts';
import { recordingHandlers } from './recordings.ts';
import { releaseHandlers } from './releases.ts';
import { resetHandlers } from './reset.ts';
import { roleHandlers } from './roles.ts';
import { schemaHandlers } from './schemas.ts';
import { searchHandlers } from './search.ts';
import { secretHandlers } from './secrets.ts';
import { sessionHandlers } from './sessions.ts';
import { signInHandlers } from './sign-in.ts';
import { subscriptionHandlers } from './subscription.ts';
import { systemHandlers } from './system.ts';
import { teamHandlers } from './teams.ts';
import { tokenHandlers } from './tokens.ts';
import { usageHandlers } from './usage.ts';
import { userSettingsHandlers } from './user-settings.ts';
import { webhookHandlers } from './webhooks.ts';
import { writerHandlers } from './writers.ts';

/** Makes the handlers of each area of the contract. */
const makers: { readonly [Area in keyof ApiAreas]: (parts: RouteParts) => Handlers<ApiAreas[Area]> } = {
  account: accountHandlers,
  signIn: signInHandlers,
  sessions: sessionHandlers,
  tokens: tokenHandlers,
  passkeys: passkeyHandlers,
  reset: resetHandlers,
  providers: providerHandlers,
  keymap: keymapHandlers,
  preferences: preferencesHandlers,
  ownAddress: ownAddressHandlers,
  clusters: clusterHandlers,
  clusterSettings: clusterSettingsHandlers,
  metricsSource: metricsSourceHandlers,
  userSettings: userSettingsHandlers,
  webhooks: webhookHandlers,
  notifications: notificationHandlers,
  alerts: alertHandlers,
  acknowledgements: acknowledgementHandlers,
  namespaces: namespaceHandlers,
  customResources: customResourceHandlers,
  counts: countHandlers,
  fleet: fleetHandlers,
  chat: chatHandlers,
  chatModel: chatModelHandlers,
  objects: objectHandlers,
  actions: actionHandlers,
  manifests: manifestHandlers,
  edit: editHandlers,
  writers: writerHandlers,
  compare: compareHandlers,
  drafts: draftHandlers,
  filters: filterHandlers,
  jobs: jobHandlers,
  secrets: secretHandlers,
  releases: releaseHandlers,
  schemas: schemaHandlers,
  search: searchHandlers,
  usage: usageHandlers,
  diagnosis: diagnosisHandlers,
  subscription: subscriptionHandlers,
  system: systemHandlers,
  teams: teamHandlers,
  members: memberHandlers,
  roles: roleHandlers,
  invitations: invitationHandlers,
  companies: companyHandlers,
  audit: auditHandlers,
  auditStream: auditStreamHandlers,
  recordings: recordingHandlers,
  accessRequests: accessRequestHandlers,
};

/** Handlers of all calls of the contract. */
export const apiHandlers = (parts: RouteParts): Handlers<Api> =>
  Object.assign({}, ...Object.values(makers).map((make) => make(parts))) as Handlers<Api>;
