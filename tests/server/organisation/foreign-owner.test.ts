import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { foundCompany, freshAddress, storedInvitation, stranger } from './invitation-office.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

/** A company with a person in a team that reaches a cluster, and an open invitation. */
async function office() {
  const { companyId, owner } = await foundCompany(console);
  const person = await console.person({ companyId });
  const clusterId = await console.cluster(companyId);
  const teamId = await console.grant(companyId, person.id, clusterId, teamRoles.Viewer);
  const email = freshAddress();
  const invited = { companyId, email, invitedBy: owner.id, expiresAt: Date.now() + 60_000 };
  const { inviteId, link, mail } = await storedInvitation(console, invited);
  const asked = await person.client.call('askAccess', {
    body: { clusterId, permissions: ['pods.manage'], reason: 'An incident', minutes: 60 },
  });
  const { made } = await person.client.call('createToken', {
    body: { name: 'script', scopes: ['pods.view'] },
  });
  return {
    companyId,
    owner,
    person,
    clusterId,
    teamId,
    email,
    inviteId,
    requestId: asked.id,
    tokenId: made.id,
    tokens: [link, mail],
  };
}
type Office = Awaited<ReturnType<typeof office>>;

/** Everything that the organisation's calls can change of a company, as one text. */
async function contentOf({ companyId }: Office): Promise<string> {
  const tables = [
    'memberships',
    'teams',
    'team_members',
    'team_clusters',
    'invitations',
    'sessions',
    'clusters',
    'access_requests',
    'temporary_grants',
    'api_tokens',
  ];
  const rows = await Promise.all(
    ['companies', ...tables].map(async (table) => {
      const own = sql.identifier(table === 'companies' ? 'id' : 'company_id');
      const found = await console.store.db.execute(
        sql`select t::text from ${sql.identifier(table)} t where ${own} = ${companyId} order by 1`,
      );
      return found.rows;
    }),
  );
  return JSON.stringify(rows);
}

type Call = readonly [method: string, path: string, body?: unknown];

/** The calls that name a person, team, cluster or invitation of a company. */
const callsOn = ({
  companyId,
  person,
  clusterId,
  teamId,
  inviteId,
  requestId,
  tokenId,
}: Office): readonly Call[] => [
  ['GET', `/api/organization/members/${person.id}`],
  ['PUT', `/api/organization/members/${person.id}`, { orgRole: 1 }],
  ['PUT', `/api/organization/members/${person.id}`, { isSuspended: true }],
  ['DELETE', `/api/organization/members/${person.id}`],
  ['DELETE', `/api/organization/members/${person.id}/sessions`],
  ['POST', `/api/organization/members/${person.id}/reset-link`],
  ['GET', `/api/ClusterManagement/clusters/users/${person.id}`],
  ['GET', `/api/auth/clusters/${clusterId}/user-permissions`],
  ['GET', `/api/auth/clusters/${clusterId}/user-permissions/${person.id}`],
  ['GET', `/api/auth/clusters/${clusterId}/user-role-permissions/${teamRoles.Viewer}`],
  ['GET', `/api/organization/why-not?needs=pods.manage&clusterId=${clusterId}`],
  [
    'POST',
    '/api/access-requests',
    { clusterId, permissions: ['pods.manage'], reason: 'An incident', minutes: 60 },
  ],
  ['POST', `/api/access-requests/${requestId}/approve`],
  ['POST', `/api/access-requests/${requestId}/refuse`],
  ['POST', `/api/access-requests/${requestId}/end`],
  ['DELETE', `/api/organization/tokens/${tokenId}`],
  ['DELETE', `/api/profile/tokens/${tokenId}`],
  ['POST', `/api/organization/invitations/${inviteId}/resend`],
  ['DELETE', `/api/organization/invitations/${inviteId}`],
  [
    'POST',
    '/api/organization/invitations',
    { email: freshAddress(), orgRole: 2, teams: [{ teamId, role: teamRoles.TeamAdmin }] },
  ],
  ['DELETE', `/api/organization/invitation-requests/${person.id}`],
  ['GET', `/api/team/${teamId}`],
  ['PUT', `/api/team/${teamId}`, { name: 'taken', description: '' }],
  ['DELETE', `/api/team/${teamId}`],
  ['GET', `/api/team/${teamId}/members`],
  ['GET', `/api/team/${teamId}/candidates`],
  ['POST', `/api/team/${teamId}/members`, { UserId: String(person.id), Role: teamRoles.TeamAdmin }],
  ['DELETE', `/api/team/${teamId}/members/${person.id}`],
  ['GET', `/api/team/${teamId}/clusters`],
  ['POST', `/api/team/${teamId}/clusters`, { clusterId: String(clusterId) }],
  ['DELETE', `/api/team/${teamId}/clusters/${clusterId}`],
  ...callsOfStrangers(companyId, inviteId),
];

/** Those by which people come into a company. */
const callsOfStrangers = (companyId: number, inviteId: number): readonly Call[] => [
  ['POST', '/api/profile/company', { companyId }],
  ['POST', '/api/v1/invitations/accept', { inviteId }],
  ['POST', `/api/team/invites/${inviteId}/reject`],
];

async function statusesOf({ client }: TestPerson, calls: readonly Call[]) {
  const answers = [];
  for (const [method, path, body] of calls)
    answers.push([method, path, (await client.send(method, path, body)).status]);
  return answers;
}
const all = (calls: readonly Call[], status: number) => calls.map(([method, path]) => [method, path, status]);

it('an Owner of another company finds nothing by the ids of this one, and changes nothing', async () => {
  const [mine, theirs] = [await office(), await office()];
  const before = await contentOf(theirs);
  const calls = callsOn(theirs);
  expect(await statusesOf(mine.owner, calls)).toEqual(all(calls, 404));
  // Nor do a team of their own and somebody, or a cluster, of the other company come together.
  const mixed: readonly Call[] = [
    ['GET', `/api/auth/clusters/${mine.clusterId}/user-permissions/${theirs.person.id}`],
    ['POST', `/api/team/${mine.teamId}/members`, { UserId: String(theirs.person.id), Role: 6 }],
    ['DELETE', `/api/team/${mine.teamId}/members/${theirs.person.id}`],
    ['POST', `/api/team/${mine.teamId}/clusters`, { clusterId: String(theirs.clusterId) }],
    ['DELETE', `/api/team/${mine.teamId}/clusters/${theirs.clusterId}`],
  ];
  expect(await statusesOf(mine.owner, mixed)).toEqual(all(mixed, 404));
  expect(await contentOf(theirs)).toBe(before);
  // Nor is anything of it in a list.
  const lists = [
    '/api/access-requests',
    '/api/organization/tokens',
    '/api/organization/members',
    '/api/team',
  ];
  for (const path of lists) {
    const { text } = await mine.owner.client.send('GET', path);
    expect(text).not.toContain(theirs.person.email);
    expect(text).not.toContain(`"id":${theirs.requestId},`);
  }
});

it('a stranger comes in by no id, also with the invited address that nobody showed to be theirs', async () => {
  const theirs = await office();
  const before = await contentOf(theirs);
  const calls = callsOfStrangers(theirs.companyId, theirs.inviteId);
  const others = [await stranger(console), await stranger(console, theirs.email, false)];
  for (const person of others) expect(await statusesOf(person, calls)).toEqual(all(calls, 404));
  const [other] = others;
  for (const token of theirs.tokens)
    expect((await other?.client.send('POST', '/api/v1/invitations/claim', { token }))?.status).toBe(409);
  expect(await contentOf(theirs)).toBe(before);
});
