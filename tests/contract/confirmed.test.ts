import { expect, test } from 'vitest';
import { type ApiName, api } from '../../src/contract/api.ts';
import { type Endpoint, tokenUseOf } from '../../src/contract/endpoint.ts';

const table = Object.entries<Endpoint>(api);

/** The calls that change something and need no identity that was confirmed recently, by the reason why not. */
const unconfirmed: Readonly<Record<string, readonly ApiName[]>> = {
  'confirms the identity itself, or takes a password or link that does': [
    'setup',
    'signIn',
    'passkeySignIn',
    'confirmPassword',
    'confirmAct',
    'confirmAtProvider',
    'changePassword',
    'resetPassword',
    'claimInvitation',
    'proveAddress',
    'mailAddressLink',
  ],
  'ends access of the caller, or what is sent, given for a while or offered: an incident may need that at once':
    ['logout', 'revokeToken', 'leaveCompany', 'deleteWebhook', 'endAccess', 'revokeInvitation'],
  'lets nobody in and gives nobody a right': [
    'createCompany',
    'switchCompany',
    'changeCompany',
    'createTeam',
    'updateTeam',
    'rejectInvitation',
    'requestInvite',
    'dismissInvitationRequest',
    'askAccess',
    'refuseAccess',
  ],
  'changes names, preferences or limits of the caller or of the organisation': [
    'renamePasskey',
    'saveKeymap',
    'savePreferences',
    'saveAlertSettings',
    'changeConversation',
    'setChatBudget',
  ],
  'sends to an address that an earlier call has set, which needed a confirmed identity': [
    'testProvider',
    'testWebhook',
    'redeliver',
  ],
  'leads to the provider of payments, or takes what was paid there': ['checkout', 'processCallback'],
  'stores nothing, and sends nothing of the organisation': [
    'readKubeconfig',
    'testChatModel',
    'testMetricsSource',
  ],
  'acts on a cluster within the permissions there': [
    'createNamespace',
    'createObject',
    'patchObject',
    'runAction',
    'createResource',
    'applyResource',
    'editObject',
    'cancelJob',
    'revealSecret',
    'revealRelease',
  ],
};

/** Whether a call changes what somebody else sees, or hands out a file. */
const matters = ({ method, reads, own, changes, download }: Endpoint): boolean =>
  download === true || changes === true || (method !== 'GET' && reads !== true && own !== true);

test('each call that changes something needs a confirmed identity, or has a reason why not', () => {
  const withoutProof = table.filter(([, endpoint]) => matters(endpoint) && endpoint.proof !== 'recent');
  expect(Object.values(unconfirmed).flat().sort()).toEqual(withoutProof.map(([name]) => name).sort());
});

test('no API token makes a call that needs a confirmed identity', () => {
  const confirmed = table.filter(([, { proof }]) => proof === 'recent');
  expect(confirmed.filter(([, endpoint]) => tokenUseOf(endpoint) !== 'never')).toEqual([]);
});

test.each<[string, readonly ApiName[]]>([
  [
    'makes or lets in an Owner or anybody',
    ['invite', 'inviteMany', 'resendInvitation', 'acceptInvitation', 'changeMember', 'approveAccess'],
  ],
  ['gives rights', ['setTeamMember', 'addTeamCluster', 'changeRole', 'mapInstallationGroups', 'createToken']],
  ['sets how somebody signs in', ['addPasskey', 'connectIdentity', 'addProvider', 'memberResetLink']],
  [
    'sets where data goes',
    [
      'replaceKubeconfig',
      'saveGlobalSettings',
      'saveChatModel',
      'setChatData',
      'addWebhook',
      'saveAuditStream',
      'removeAuditStream',
      'billingPortal',
    ],
  ],
  [
    'weakens a rule',
    ['setPasskeyRule', 'setApprovalRule', 'setKeptRows', 'removeMemberPasskeys', 'changeAuditSettings'],
  ],
  [
    'ends sessions, or the access of others',
    [
      'endOwnSession',
      'endOtherSessions',
      'removeMember',
      'endMemberSessions',
      'revokeMemberToken',
      'deleteCluster',
    ],
  ],
  [
    'deletes the organisation, or exports what it keeps',
    ['deleteCompany', 'exportAudit', 'downloadRecording'],
  ],
])('what %s needs a confirmed identity', (_, names) => {
  expect(names.filter((name) => (api[name] as Endpoint).proof !== 'recent')).toEqual([]);
});

test('a passkey at the moment of the act is asked for by reveals, and by actions that are dangerous', () => {
  const acts = table.flatMap(([name, { proof }]) =>
    proof === 'act' || proof === 'handler' ? [[name, proof]] : [],
  );
  expect(acts.toSorted(([one = ''], [other = '']) => one.localeCompare(other))).toEqual([
    ['revealRelease', 'act'],
    ['revealSecret', 'act'],
    ['runAction', 'handler'],
  ]);
  // The cluster of the call says whether it asks.
  expect(acts.filter(([name = '']) => !api[name as ApiName].path.includes('/:clusterId/'))).toEqual([]);
});
