import type { Permission } from '../../src/contract/permissions.ts';
import { Problem } from '../../src/contract/problem.ts';
import type { Grants } from '../../src/server/access/grants.ts';
import { satisfies } from '../../src/server/live/access.ts';

/** Grants that can be told to leave somebody less than their roles give, as a later role might. */
export interface NarrowedGrants {
  readonly grants: Grants;
  /** Leaves a person only these permissions of those that their grants give them. */
  readonly narrow: (userId: number, permissions: readonly Permission[]) => void;
}

const both = (one: ReadonlySet<Permission>, other: ReadonlySet<Permission>) =>
  new Set([...one].filter((name) => other.has(name)));

/** The real grants behind it answer first: nobody gets more than they had. */
export function narrowed(real: Grants): NarrowedGrants {
  const left = new Map<number, ReadonlySet<Permission>>();
  return {
    narrow: (userId, permissions) => left.set(userId, new Set(permissions)),
    grants: {
      ...real,
      async permissions(person, clusterId) {
        const held = await real.permissions(person, clusterId);
        const narrow = left.get(person.id);
        return narrow === undefined ? held : both(narrow, held);
      },
      async reach(person) {
        const narrow = left.get(person.id);
        const reached = await real.reach(person);
        if (narrow === undefined) return reached;
        return reached.map((one) => ({ ...one, held: both(narrow, one.held), isOwner: false }));
      },
      async require(person, clusterId, need) {
        const cluster = await real.require(person, clusterId, need);
        const narrow = left.get(person.id);
        if (narrow !== undefined && !satisfies(narrow, need)) {
          throw new Problem({ status: 403, title: 'You lack a permission.' });
        }
        return cluster;
      },
    },
  };
}
