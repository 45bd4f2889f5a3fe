import { orgRoles, type Permission, permissions, teamRoles } from '../../src/contract/permissions.ts';
import {
  type Grant,
  type Grants,
  isLasting,
  type Reach,
  requireHeld,
  type TeamGrant,
} from '../../src/server/access/grants.ts';
import { createHeld, type HeldPermissions } from '../../src/server/access/held.ts';
import type { Store } from '../../src/server/store/store.ts';

/** Grants that can be told to leave somebody less than their roles give, as a later role might. */
export interface NarrowedGrants {
  readonly grants: Grants;
  /** The store, of which the rights of what is open are read, narrowed in the same way. */
  readonly narrowedStore: <S extends Pick<Store, 'db'>>(store: S) => S;
  /** Leaves a person only these permissions of those that their grants give them. */
  readonly narrow: (userId: number, permissions: readonly Permission[]) => void;
}

const both = (some: ReadonlySet<Permission>, held: HeldPermissions) =>
  createHeld(
    new Map(held.names.filter((name) => some.has(name)).map((name) => [name, held.namespacesFor(name)])),
    false,
  );

/** A row of the rights of what is open. */
interface RightsRow {
  readonly user_id: number;
  readonly org_role: number;
  readonly grants: readonly Grant[];
}

function narrowedRow(row: RightsRow, some: ReadonlySet<Permission>): RightsRow {
  const everything: TeamGrant = { role: teamRoles.TeamAdmin, namespaces: null };
  const isOwner = row.org_role === orgRoles.Owner;
  const changesOf = ({ changes }: TeamGrant) => ({
    ...changes,
    ...Object.fromEntries(
      permissions.flatMap((name) => (some.has(name) && !isOwner ? [] : [[name, isOwner && some.has(name)]])),
    ),
  });
  const grants = (isOwner ? [everything] : row.grants)
    .filter(isLasting)
    .map((grant) => ({ ...grant, changes: changesOf(grant) }));
  return { ...row, org_role: orgRoles.Member, grants };
}

/** The real grants behind it answer first: nobody gets more than they had. */
export function narrowed(real: Grants): NarrowedGrants {
  const left = new Map<number, ReadonlySet<Permission>>();
  const narrowedFor = (person: { readonly id: number }, held: HeldPermissions) => {
    const some = left.get(person.id);
    return some === undefined ? held : both(some, held);
  };
  const access = async (...[person, clusterId]: Parameters<Grants['access']>): Promise<Reach> => {
    const found = await real.access(person, clusterId);
    return { ...found, held: narrowedFor(person, found.held) };
  };
  return {
    narrow: (userId, names) => left.set(userId, new Set(names)),
    narrowedStore(store) {
      const execute: Store['db']['execute'] = (async (query: never) => {
        const answer = await store.db.execute<Record<string, unknown>>(query);
        const rows = (answer.rows as unknown as RightsRow[]).map((row) => {
          const some = 'grants' in row ? left.get(row.user_id) : undefined;
          return some === undefined ? row : narrowedRow(row, some);
        });
        return { ...answer, rows };
      }) as never;
      return { ...store, db: Object.assign(Object.create(store.db) as Store['db'], { execute }) };
    },
    grants: {
      ...real,
      held: async (person, clusterId) => narrowedFor(person, await real.held(person, clusterId)),
      async reach(person) {
        const reached = await real.reach(person);
        return reached.map((one) => ({ ...one, held: narrowedFor(person, one.held) }));
      },
      access,
      async require(person, clusterId, need, place) {
        const found = await access(person, clusterId);
        requireHeld(found, need, place);
        return found.cluster;
      },
    },
  };
}
