import type { Api } from '../../contract/api.ts';
import type { Handlers } from '../http/handlers.ts';
import { accessRequestHandlers } from './access-requests.ts';
import { accountHandlers } from './account.ts';
import { acknowledgementHandlers } from './acknowledgements.ts';
import { actionHandlers } from './actions.ts';
import { auditHandlers } from './audit.ts';
import { auditStreamHandlers } from './audit-stream.ts';
import { chatHandlers } from './chat.ts';
import { chatModelHandlers } from './chat-model.ts';
import { clusterHandlers } from './clusters.ts';
import { clusterSettingsHandlers } from './cluster-settings.ts';
import { companyHandlers } from './companies.ts';
import { compareHandlers } from './compare.ts';
import { countHandlers } from './counts.ts';
import { customResourceHandlers } from './custom-resources.ts';
import { diagnosisHandlers } from './diagnosis.ts';
import { draftHandlers } from './drafts.ts';
import { editHandlers } from './edit.ts';
import { filterHandlers } from './filters.ts';
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

/** Handlers of all calls of the contract, one line for each area; without one of them it does not compile. */
export function apiHandlers(parts: RouteParts): Handlers<Api> {
  return {
    ...accountHandlers(parts),
    ...passkeyHandlers(parts),
    ...signInHandlers(parts),
    ...sessionHandlers(parts),
    ...tokenHandlers(parts),
    ...resetHandlers(parts),
    ...ownAddressHandlers(parts),
    ...keymapHandlers(parts),
    ...preferencesHandlers(parts),
    ...clusterHandlers(parts),
    ...clusterSettingsHandlers(parts),
    ...userSettingsHandlers(parts),
    ...webhookHandlers(parts),
    ...notificationHandlers(parts),
    ...acknowledgementHandlers(parts),
    ...namespaceHandlers(parts),
    ...customResourceHandlers(parts),
    ...countHandlers(parts),
    ...chatHandlers(parts),
    ...chatModelHandlers(parts),
    ...objectHandlers(parts),
    ...manifestHandlers(parts),
    ...editHandlers(parts),
    ...compareHandlers(parts),
    ...draftHandlers(parts),
    ...filterHandlers(parts),
    ...actionHandlers(parts),
    ...jobHandlers(parts),
    ...secretHandlers(parts),
    ...releaseHandlers(parts),
    ...schemaHandlers(parts),
    ...searchHandlers(parts),
    ...usageHandlers(parts),
    ...diagnosisHandlers(parts),
    ...subscriptionHandlers(parts),
    ...systemHandlers(parts),
    ...teamHandlers(parts),
    ...memberHandlers(parts),
    ...roleHandlers(parts),
    ...accessRequestHandlers(parts),
    ...companyHandlers(parts),
    ...auditHandlers(parts),
    ...auditStreamHandlers(parts),
    ...recordingHandlers(parts),
    ...invitationHandlers(parts),
  };
}
