import { and, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { personGroups, teamClusters, teamMembers } from '../../../src/server/store/schema/teams.ts';
import { type Issuer, issuerClient, startIssuer } from '../../issuer.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import { BearerClient, type TestClient } from '../http-client.ts';
import { navigate, passProvider, signInAt } from './sign-in-at.ts';

const hour = 3_600_000;
let issuer: Issuer;
let console: TestConsole;
/** Another server over the same PostgreSQL. */
let other: TestConsole;
let companyId: number;
let clusterId: number;
let owner: TestClient;

beforeAll(async () => {
  issuer = await startIssuer();
  console = await startConsole({ config: { issuerCidrs: ['127.0.0.0/8'] } });
  other = await startConsole({ config: { databaseUrl: console.services.config.databaseUrl } });
  companyId = await console.company();
  clusterId = await console.cluster(companyId);
  owner = (await console.person({ companyId, isOwner: true })).client;
});
afterAll(async () => {
  await other.close();
  await console.close();
  await issuer.close();
});

/** Those of the test, which ends with them: a company has few. */
const providerIds = new Set<number>();
afterEach(async () => {
  for (const providerId of providerIds) await owner.call('removeProvider', { params: { providerId } });
  providerIds.clear();
});

/** A provider of the company whose groups are read. */
async function provider() {
  const { id, redirectUri } = await owner.call('addProvider', {
    body: { name: 'Sign-on', issuer: issuer.url, ...issuerClient, groupsClaim: 'groups' },
  });
  providerIds.add(id);
  issuer.open([redirectUri]);
  const change = (body: object) => owner.call('changeProvider', { params: { providerId: id }, body });
  return { id, key: redirectUri.split('/').at(-1) ?? '', change };
}
type Provider = Awaited<ReturnType<typeof provider>>;

/** A team that reaches the cluster. */
async function team(): Promise<number> {
  const teamId = await console.team(companyId);
  await console.store.db.insert(teamClusters).values({ companyId, teamId, clusterId });
  return teamId;
}

/** Somebody of the company who connected the provider, and what they have. */
async function member({ key }: Provider) {
  const person = await console.person({ companyId, password: testPassword });
  const subject = `subject-${person.id}`;
  const says = (groups: readonly string[]) =>
    issuer.people.set(subject, { email: person.email, email_verified: true, groups });
  says([]);
  issuer.signsIn = subject;
  const { url } = await person.client.call('connectIdentity', { body: { provider: key } });
  await navigate(person.client, await passProvider(url, console.url));
  const places = async () =>
    (
      await console.store.db
        .select({ teamId: teamMembers.teamId, role: teamMembers.role })
        .from(teamMembers)
        .where(eq(teamMembers.userId, person.id))
        .orderBy(teamMembers.teamId)
    ).map(({ teamId, role }) => [teamId, role]);
  return {
    ...person,
    says,
    places,
    signIn: async () => {
      issuer.signsIn = subject;
      const client = console.visitor();
      expect(await signInAt(client, key)).toBe('/');
      return client;
    },
  };
}

/** Lets time pass for what was said of somebody's groups: nobody can wait for half a day. */
async function letPass(userId: number, time: number) {
  const earlier = sql`expires_at - ${time} * interval '1 millisecond'`;
  const { db } = console.store;
  await db
    .update(teamMembers)
    .set({ expiresAt: earlier })
    .where(and(eq(teamMembers.userId, userId), sql`given_by is not null`));
  await db.update(personGroups).set({ expiresAt: earlier }).where(eq(personGroups.userId, userId));
}

const reached = async (client: TestClient) => (await client.call('clusters', {})).map(({ id }) => id);

it('who signs in another way, or by a token, holds what a group gave for half a day after the provider said it', async () => {
  const at = await provider();
  const teamId = await team();
  await at.change({ groupTeams: [{ group: 'operators', teamId, role: teamRoles.TeamAdmin }] });
  const person = await member(at);
  person.says(['operators']);
  const { secret } = await (await person.signIn()).call('createToken', {
    body: { name: 'script', scopes: ['pods.view'] },
  });
  // From here on the provider is asked no more, and nobody knows what it would say.
  const ways = [
    person.client,
    await other.session(person.id, companyId),
    new BearerClient(console.url, secret),
    new BearerClient(other.url, secret),
  ];
  const reachedBy = async () => {
    const all = [];
    for (const client of ways) all.push(await reached(client));
    return all;
  };
  const within = ways.map(() => [clusterId]);
  expect(await reachedBy()).toEqual(within);
  await letPass(person.id, 11.9 * hour);
  expect(await reachedBy()).toEqual(within);
  expect(await person.client.call('teams', {})).toMatchObject([{ id: teamId, ownRole: teamRoles.TeamAdmin }]);
  await letPass(person.id, 0.1 * hour);
  expect(await reachedBy()).toEqual(ways.map(() => []));
  // Nor does it give the team's members to manage, or show the person among them.
  expect(await person.client.call('teams', {})).toEqual([]);
  const { status } = await person.client.send('GET', `/api/team/${teamId}/members`);
  expect(status).toBe(404);
  expect(await owner.call('teamMembers', { params: { teamId } })).toEqual([]);
  // The next sign-in gives it again.
  await person.signIn();
  expect(await reachedBy()).toEqual(within);
});

it('a place that ends by the clock is on record: whose, in which team, and which provider gave it', async () => {
  const at = await provider();
  const teamId = await team();
  await at.change({ groupTeams: [{ group: 'operators', teamId, role: teamRoles.Viewer }] });
  const person = await member(at);
  person.says(['operators']);
  await person.signIn();
  await letPass(person.id, 12 * hour);
  await console.store.db.transaction((tx) => console.store.channel.notify('grants', { companyId }, tx));
  await expect.poll(person.places).toEqual([]);
  const { entries } = await owner.call('audit', { query: { action: 'groupPlace.expire' } });
  expect(entries.filter(({ subject }) => subject['userId'] === person.id)).toMatchObject([
    {
      actor: 'expiry',
      subject: { teamId, email: person.email, provider: at.key },
      changes: { role: { before: teamRoles.Viewer, after: null } },
    },
  ]);
});

it('a place that somebody gave does not run out', async () => {
  const at = await provider();
  const teamId = await team();
  await at.change({ groupTeams: [{ group: 'operators', teamId, role: teamRoles.Viewer }] });
  const person = await member(at);
  person.says(['operators']);
  await person.signIn();
  await owner.call('setTeamMember', {
    params: { teamId },
    body: { UserId: String(person.id), Role: teamRoles.Viewer },
  });
  await letPass(person.id, 13 * hour);
  expect(await reached(person.client)).toEqual([clusterId]);
});

it('a mapping that is taken back takes away what it alone gave, at once', async () => {
  const at = await provider();
  const [one, two] = [await team(), await team()];
  const all = [
    { group: 'operators', teamId: one, role: teamRoles.Viewer },
    { group: 'leads', teamId: one, role: teamRoles.TeamAdmin },
    { group: 'leads', teamId: two, role: teamRoles.Viewer },
  ];
  await at.change({ groupTeams: all });
  const [lead, both] = [await member(at), await member(at)];
  lead.says(['leads']);
  both.says(['operators', 'leads']);
  await lead.signIn();
  await both.signIn();
  const highest = [
    [one, teamRoles.TeamAdmin],
    [two, teamRoles.Viewer],
  ];
  expect([await lead.places(), await both.places()]).toEqual([highest, highest]);
  // Another group gives the team still: who is not in it loses the place, who is keeps the role that it gives.
  await at.change({ groupTeams: all.filter(({ group, teamId }) => group !== 'leads' || teamId !== one) });
  expect(await lead.places()).toEqual([[two, teamRoles.Viewer]]);
  expect(await both.places()).toEqual([
    [one, teamRoles.Viewer],
    [two, teamRoles.Viewer],
  ]);
});

it.each([
  ['clearing', { groupsClaim: null }],
  ['changing', { groupsClaim: 'roles' }],
])('%s the claim that lists groups takes away what it gave, at once', async (_name, change) => {
  const at = await provider();
  const teamId = await team();
  await at.change({ groupTeams: [{ group: 'operators', teamId, role: teamRoles.Viewer }] });
  const person = await member(at);
  person.says(['operators']);
  await person.signIn();
  expect(await reached(person.client)).toEqual([clusterId]);
  await at.change(change);
  expect(await person.places()).toEqual([]);
  expect(await reached(person.client)).toEqual([]);
});

it('what was said of the groups of somebody who is removed is forgotten with the membership', async () => {
  const at = await provider();
  const teamId = await team();
  await at.change({ groupTeams: [{ group: 'operators', teamId, role: teamRoles.Viewer }] });
  const person = await member(at);
  person.says(['operators']);
  await person.signIn();
  await owner.call('removeMember', { params: { userId: person.id } });
  expect(
    await console.store.db.select().from(personGroups).where(eq(personGroups.userId, person.id)),
  ).toEqual([]);
});

it('a provider that is disconnected gives no place any more, at once', async () => {
  const at = await provider();
  const [given, kept] = [await team(), await team()];
  await at.change({ groupTeams: [{ group: 'operators', teamId: given, role: teamRoles.Viewer }] });
  const person = await member(at);
  await owner.call('setTeamMember', {
    params: { teamId: kept },
    body: { UserId: String(person.id), Role: teamRoles.Viewer },
  });
  person.says(['operators']);
  await person.signIn();
  expect(await person.places()).toHaveLength(2);
  const [connected] = (await person.client.call('identities', {})).identities;
  await person.client.call('disconnectIdentity', { params: { identityId: connected?.id ?? 0 } });
  expect(await person.places()).toEqual([[kept, teamRoles.Viewer]]);
  expect(
    await console.store.db.select().from(personGroups).where(eq(personGroups.userId, person.id)),
  ).toEqual([]);
});

it('what groups give, change and take away is in the audit, by the names of person, team, provider and group', async () => {
  const at = await provider();
  const { id: teamId } = await owner.call('createTeam', { body: { name: 'Devs', description: '' } });
  await at.change({
    groupTeams: [
      { group: 'developers', teamId, role: teamRoles.Viewer },
      { group: 'leads', teamId, role: teamRoles.TeamAdmin },
    ],
  });
  const person = await member(at);
  const said = async () => {
    const { entries } = await owner.call('audit', {
      query: { words: `${person.email} role`, changes: 'yes' },
    });
    return entries.map(({ sentence }) => sentence).reverse();
  };
  person.says(['developers']);
  await person.signIn();
  // The same word again changes nothing.
  await person.signIn();
  person.says(['developers', 'leads']);
  await person.signIn();
  person.says([]);
  await person.signIn();
  const given = `The console gave ${person.email} the role Viewer in the team Devs, by the group developers of ${at.key}`;
  expect(await said()).toEqual([
    `${given}: role none → Viewer.`,
    `The console changed the role of ${person.email} in the team Devs, by the group leads of ${at.key}: role Viewer → TeamAdmin.`,
  ]);
  person.says(['developers']);
  await person.signIn();
  await at.change({ groupTeams: [] });
  const { entries } = await owner.call('audit', { query: { words: `${person.email} removed` } });
  expect(entries.map(({ sentence }) => sentence)).toEqual([
    `The console removed ${person.email} from the team Devs, as no group of ${at.key} gives that place any more: role Viewer → none.`,
    `The console removed ${person.email} from the team Devs, as no group of ${at.key} gives that place any more: role TeamAdmin → none.`,
  ]);
});
