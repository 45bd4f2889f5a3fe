import type { Permission } from '../../src/contract/permissions.ts';
import { type Grants, type Reach, requireHeld } from '../../src/server/access/grants.ts';
import { createHeld, type HeldPermissions } from '../../src/server/access/held.ts';

/** Grants that can be told to leave somebody less than their roles give, as a later role might. */
export interface NarrowedGrants {
  readonly grants: Grants;
  /** Leaves a person only these permissions of those that their grants give them. */
  readonly narrow: (userId: number, permissions: readonly Permission[]) => void;
}

const both = (some: ReadonlySet<Permission>, held: HeldPermissions) =>
  createHeld(
    new Map(held.names.filter((name) => some.has(name)).map((name) => [name, held.namespacesFor(name)])),
    false,
  );

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
    narrow: (userId, permissions) => left.set(userId, new Set(permissions)),
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
