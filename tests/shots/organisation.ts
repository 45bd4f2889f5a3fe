import { type App, owner } from '../e2e/kit.ts';
import { TestClient } from '../server/http-client.ts';
import { addPerson } from '../e2e/store.ts';

const people: readonly (readonly [name: string, role: 3 | 4 | 6])[] = [
  ['Anna Keller', 4],
  ['Jonas Berg', 4],
  ['Sara Lindqvist', 3],
  ['Miguel Ortiz', 3],
  ['Petra Novak', 6],
  ['Duc Tran', 6],
  ['Lea Fournier', 6],
];

/**
 * Fills the organisation with teams and people, and gives the Owner API tokens.
 * @returns the addresses of one team and of one of its people
 */
export async function fillOrganisation({
  product,
  client,
  url,
}: App): Promise<{ readonly team: string; readonly member: string }> {
  const clusters = await client.call('clusters', {});
  const team = await client.call('createTeam', {
    body: { name: 'Checkout', description: 'Owns the shop namespace and the checkout release train.' },
  });
  for (const name of ['Platform', 'Payments', 'Support on call', 'Contractors'])
    await client.call('createTeam', { body: { name, description: '' } });
  const params = { teamId: team.id };
  for (const { id } of clusters.slice(0, 3))
    await client.call('addTeamCluster', { params, body: { clusterId: String(id) } });
  let last = 0;
  for (const [name, role] of people) {
    const email = `${name.toLowerCase().replace(' ', '.')}@example.org`;
    const { userId } = await addPerson(product, email, name);
    await client.call('setTeamMember', { params, body: { UserId: String(userId), Role: role } });
    last = userId;
  }
  const { id: providerId } = await client.call('addProvider', {
    body: {
      name: 'Example sign-on',
      issuer: 'https://login.example.org/realms/shipping',
      clientId: 'wheelhouse',
      clientSecret: 'of the pictures',
      groupsClaim: 'groups',
    },
  });
  const groupTeams = [{ group: 'checkout-operators', teamId: team.id, role: 4 as const }];
  await client.call('changeProvider', { params: { providerId }, body: { groupTeams } });
  await client.call('mapInstallationGroups', { params: { provider: 'corp' }, body: { groupTeams } });
  await client.call('createToken', {
    body: { name: 'deploys', scopes: ['deployments.manage', 'deployments.view', 'pods.view'] },
  });
  const [first] = clusters;
  await client.call('createToken', {
    body: {
      name: 'nightly restore check of the payments database',
      scopes: ['secrets.view', 'statefulsets.view', 'secrets.reveal'],
      clusterIds: first === undefined ? null : [first.id],
      expiresInDays: 30,
    },
  });
  await askForAccess(url, clusters[0]?.id ?? 0);
  return { team: `/settings/teams/${team.id}`, member: `/settings/organization/members/${last}` };
}

/** Two people ask for access to a cluster. */
async function askForAccess(url: string, clusterId: number): Promise<void> {
  for (const [email, permissions, reason, namespaces] of [
    ['petra.novak@example.org', ['pods.manage'], 'Payments hang, a pod has to be restarted', ['shop']],
    [
      'lea.fournier@example.org',
      ['deployments.manage', 'secrets.view'],
      'The certificate expires tonight',
      null,
    ],
  ] as const) {
    const person = new TestClient(url);
    await person.call('signIn', { body: { email, password: owner.password } });
    const body = { clusterId, permissions: [...permissions], reason, minutes: 120 };
    await person.call('askAccess', {
      body: { ...body, namespaces: namespaces === null ? null : [...namespaces] },
    });
  }
}
