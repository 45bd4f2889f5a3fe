import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { isTeamRole, type Need, orgRoles } from '../../contract/permissions.ts';
import { type Grant, type Grants, heldBy, teamGrants } from '../access/grants.ts';
import { covers, type Namespaces } from '../access/held.ts';
import type { Member } from '../access/person.ts';
import { users } from '../store/schema/accounts.ts';
import { memberships } from '../store/schema/memberships.ts';
import { teamClusters, teamPlaces } from '../store/schema/teams.ts';
import type { Store } from '../store/store.ts';
import { byName } from './by-name.ts';
import { ownerNames } from './owners.ts';
import { readChangedRoles } from './roles.ts';

/** A question of a person: who may do what needs this on a cluster, and there in a namespace. */
export interface WhoMayQuestion {
  readonly need: Need;
  readonly clusterId: number;
  /** Any namespace without it. */
  readonly namespace?: string | undefined;
}

/** The people who may do something on a cluster, as far as whoever asks may know. */
export interface WhoMay {
  readonly owners: readonly string[];
  /** Others by name, with where they may do it. The person who asks is among them. */
  readonly people: readonly { readonly name: string; readonly namespaces: Namespaces }[];
  /** Names of people to whom nothing that whoever asks may know gives it. */
  readonly others: readonly string[];
  /** Whether the people are all of the company, or of the teams of the person who asks. */
  readonly isWhole: boolean;
}

/**
 * The people who may do something on a cluster. An Owner is told of everybody; a Member of the Owners, of themselves, and
 * of the people of their own teams by what these teams give them: nothing of other teams. Throws Problem 404 for a cluster
 * that the person does not reach.
 */
export async function whoMay(
  { store, grants }: { readonly store: Pick<Store, 'db'>; readonly grants: Pick<Grants, 'access'> },
  person: Member,
  { need, clusterId, namespace }: WhoMayQuestion,
): Promise<WhoMay> {
  const { held } = await grants.access(person, clusterId);
  const owners = await ownerNames(store, person.companyId);
  const people = held.isOwner
    ? await everybody(store, person.companyId, clusterId)
    : [{ name: await ownName(store, person), held }, ...(await teammates(store, person, clusterId))];
  const found = people.map(({ name, held: own }) => {
    const namespaces = own.namespacesFor(need);
    return {
      name,
      namespaces,
      isAllowed: covers(namespaces, namespace === undefined ? 'anywhere' : { namespace }),
    };
  });
  return {
    owners,
    isWhole: held.isOwner,
    people: found.flatMap(({ isAllowed, ...one }) => (isAllowed ? [one] : [])),
    others: found.flatMap(({ isAllowed, name }) => (isAllowed ? [] : [name])),
  };
}

async function ownName({ db }: Pick<Store, 'db'>, { id }: Member): Promise<string> {
  const [row] = await db.select({ name: users.name }).from(users).where(eq(users.id, id));
  return row?.name ?? '';
}

/** The active Members of a company with all that they hold on a cluster. */
async function everybody({ db }: Pick<Store, 'db'>, companyId: number, clusterId: number) {
  const rows = await db
    .select({
      name: users.name,
      orgRole: memberships.orgRole,
      grants: teamGrants({
        clusterId: sql`${clusterId}`,
        userId: sql`${memberships.userId}`,
        companyId: sql`${companyId}`,
      }),
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.companyId, companyId),
        eq(memberships.state, 'active'),
        ne(memberships.orgRole, orgRoles.Owner),
      ),
    )
    .orderBy(byName(users.name), users.id);
  return rows.map(({ name, orgRole, grants }) => ({ name, held: heldBy(orgRole, grants) }));
}

/** The other Members of a person's teams, with what these teams give them on a cluster. */
async function teammates({ db }: Pick<Store, 'db'>, { id, companyId }: Member, clusterId: number) {
  const own = db
    .select({ teamId: teamPlaces.teamId })
    .from(teamPlaces)
    .where(and(eq(teamPlaces.userId, id), eq(teamPlaces.companyId, companyId)));
  const rows = await db
    .select({
      userId: users.id,
      name: users.name,
      role: teamPlaces.role,
      namespaces: teamClusters.namespaces,
    })
    .from(teamPlaces)
    .innerJoin(
      teamClusters,
      and(eq(teamClusters.teamId, teamPlaces.teamId), eq(teamClusters.clusterId, clusterId)),
    )
    .innerJoin(
      memberships,
      and(
        eq(memberships.userId, teamPlaces.userId),
        eq(memberships.companyId, companyId),
        eq(memberships.state, 'active'),
        ne(memberships.orgRole, orgRoles.Owner),
      ),
    )
    .innerJoin(users, eq(users.id, teamPlaces.userId))
    .where(
      and(eq(teamPlaces.companyId, companyId), ne(teamPlaces.userId, id), inArray(teamPlaces.teamId, own)),
    )
    .orderBy(byName(users.name), users.id);
  const changes = await readChangedRoles(db, companyId);
  return [...Map.groupBy(rows, ({ userId }) => userId).values()].map((places) => ({
    name: places[0]?.name ?? '',
    held: heldBy(
      orgRoles.Member,
      places.map(
        ({ role, namespaces }): Grant => ({
          role,
          namespaces,
          changes: isTeamRole(role) ? (changes.get(role) ?? null) : null,
        }),
      ),
    ),
  }));
}
