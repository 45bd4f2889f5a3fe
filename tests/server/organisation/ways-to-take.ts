import { eq, sql } from 'drizzle-orm';
import { orgRoles, teamRoles } from '../../../src/contract/permissions.ts';
import type { OpenSortName } from '../../../src/server/access/open-state.ts';
import { identities, identityProviders } from '../../../src/server/store/schema/identities.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { teamClusters, teamMembers } from '../../../src/server/store/schema/teams.ts';
import { type Issuer, issuerClient } from '../../issuer.ts';
import type { TestPerson } from '../harness.ts';
import type { TestClient } from '../http-client.ts';
import { signInAt } from '../identity/sign-in-at.ts';
import type { ServerPair } from './server-pair.ts';

/** Those who look on one server, and the Owner who takes a right away on the other. */
export interface Office {
  readonly pair: ServerPair;
  readonly issuer: Issuer;
  /** The Owner of the company, on the other server. */
  readonly owner: TestClient;
}

/** Something that somebody can take a right from, and how it is taken. */
interface Taken {
  readonly person: TestPerson;
  readonly take: () => Promise<unknown>;
}

/** A way to take a right away, on the other server. */
interface Way {
  readonly begin: (office: Office) => Promise<Taken>;
  /** What goes on: a job does, where its person lost no right but their session. */
  readonly goesOn?: readonly OpenSortName[];
  /** Puts things back for the other ways, where it reaches further than its person. */
  readonly after?: (office: Office) => Promise<unknown>;
}

/** Somebody in a team of their own, as its TeamAdmin. */
async function inTeam({ pair: { here } }: Office) {
  const { companyId, console, clusterId } = here;
  const person = await console.person({ companyId });
  const teamId = await console.grant(companyId, person.id, clusterId, teamRoles.TeamAdmin);
  return { person, teamId, params: { teamId, userId: person.id, clusterId } };
}

/** A way that takes something from somebody in a team of their own. */
const fromTeam = (
  take: (owner: TestClient, params: Awaited<ReturnType<typeof inTeam>>['params']) => Promise<unknown>,
): Way => ({
  async begin(office) {
    const { person, params } = await inTeam(office);
    return { person, take: () => take(office.owner, params) };
  },
});

/** Somebody whose place in a team comes from a group of a provider of the company, which opened their session. */
async function byProvider({ pair: { here, there }, issuer, owner }: Office) {
  const { companyId, console, clusterId } = here;
  const { db } = console.store;
  const added = await owner.call('addProvider', {
    body: { name: 'Staff', issuer: issuer.url, groupsClaim: 'groups', ...issuerClient },
  });
  const providerId = added.id;
  const key = added.redirectUri.split('/').at(-1) ?? '';
  issuer.open([added.redirectUri]);
  const person = await console.person({ companyId });
  const subject = `subject-${person.id}`;
  await db
    .insert(identities)
    .values({ userId: person.id, providerId, issuer: issuer.url, subject, email: person.email });
  const teamId = await there.team(companyId);
  await db.insert(teamClusters).values({ companyId, teamId, clusterId });
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await db
    .insert(teamMembers)
    .values({ companyId, teamId, userId: person.id, role: teamRoles.TeamAdmin, givenBy: key, expiresAt });
  await db.update(sessions).set({ providerId }).where(eq(sessions.userId, person.id));
  return { person, providerId, key, subject };
}

/** Takes the providers of the company away that a way has made. */
async function removeProviders({ owner }: Office): Promise<void> {
  for (const { id: providerId } of await owner.call('companyProviders', {}))
    await owner.call('removeProvider', { params: { providerId } });
}

/** Every way to take a right away, in an order in which none disturbs the next. */
export const waysToTake: Readonly<Record<string, Way>> = {
  'the place in the team': fromTeam((owner, params) => owner.call('removeTeamMember', { params })),
  'the cluster of the team': fromTeam((owner, params) => owner.call('removeTeamCluster', { params })),
  'the namespace of the team': fromTeam((owner, { teamId, clusterId }) =>
    owner.call('addTeamCluster', {
      params: { teamId },
      body: { clusterId: String(clusterId), namespaces: ['elsewhere'] },
    }),
  ),
  'the team': fromTeam((owner, params) => owner.call('deleteTeam', { params })),
  'the membership for a while': fromTeam((owner, params) =>
    owner.call('changeMember', { params, body: { isSuspended: true } }),
  ),
  'the membership': fromTeam((owner, params) => owner.call('removeMember', { params })),
  'the sessions': {
    ...fromTeam((owner, params) => owner.call('endMemberSessions', { params })),
    goesOn: ['jobs'],
  },
  'the role of an Owner': {
    async begin({ pair: { here }, owner }) {
      const person = await here.console.person({ companyId: here.companyId, isOwner: true });
      const params = { userId: person.id };
      return {
        person,
        take: () => owner.call('changeMember', { params, body: { orgRole: orgRoles.Member } }),
      };
    },
  },
  'the group at the provider, at the next sign-in': {
    async begin(office) {
      const { person, key, subject } = await byProvider(office);
      const { issuer, pair } = office;
      issuer.people.set(subject, { email: person.email, email_verified: true, groups: [] });
      issuer.signsIn = subject;
      return { person, take: () => signInAt(pair.there.visitor(), key) };
    },
    after: removeProviders,
  },
  'the time of what groups gave': {
    async begin(office) {
      const { person } = await byProvider(office);
      const { pair } = office;
      const { store } = pair.there;
      return {
        person,
        take: () =>
          store.db.transaction(async (tx) => {
            await tx
              .update(teamMembers)
              .set({ expiresAt: sql`clock_timestamp() + interval '200 ms'` })
              .where(eq(teamMembers.userId, person.id));
            await store.channel.notify('grants', { companyId: pair.here.companyId }, tx);
          }),
      };
    },
    after: removeProviders,
  },
  'the provider': {
    async begin(office) {
      const { person, providerId } = await byProvider(office);
      return { person, take: () => office.owner.call('removeProvider', { params: { providerId } }) };
    },
  },
  'every way to sign in but the provider': {
    async begin(office) {
      const { providerId } = await byProvider(office);
      const { here } = office.pair;
      const { db } = here.console.store;
      await db
        .update(identityProviders)
        .set({ testedAt: new Date().toISOString() })
        .where(eq(identityProviders.id, providerId));
      await db.update(memberships).set({ isLocal: true }).where(eq(memberships.userId, here.owner.id));
      const { person } = await inTeam(office);
      const params = { providerId };
      return {
        person,
        take: () => office.owner.call('changeProvider', { params, body: { isEnforced: true } }),
      };
    },
    goesOn: ['jobs'],
    after: removeProviders,
  },
  // These two hold for everybody from then on.
  'the permission of the role': fromTeam((owner) =>
    owner.call('changeRole', {
      params: { roleId: teamRoles.TeamAdmin },
      body: { permissions: ['namespaces.view'] },
    }),
  ),
};
