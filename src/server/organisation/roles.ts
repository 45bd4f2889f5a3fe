import { and, eq } from 'drizzle-orm';
import {
  isPermission,
  isTeamRole,
  type Permission,
  permissionsOfRole,
  type RoleChanges,
  roleChangesOf,
  type TeamRole,
  teamRoles,
  viewOf,
} from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Role } from '../../contract/roles.ts';
import type { Member } from '../access/person.ts';
import { companies } from '../store/schema/companies.ts';
import { roleAdjustments } from '../store/schema/teams.ts';
import type { Database, Store, Transaction } from '../store/store.ts';
import { changeGrants } from './change-grants.ts';
import { requireStillOwner } from './still-owner.ts';

/** What a company changed about the team roles, by role. */
export type ChangedRoles = ReadonlyMap<TeamRole, RoleChanges>;

/** Reads what a company changed about the team roles. */
export async function readChangedRoles(
  db: Pick<Database | Transaction, 'select'>,
  companyId: number,
): Promise<ChangedRoles> {
  const rows = await db.select().from(roleAdjustments).where(eq(roleAdjustments.companyId, companyId));
  const changed = new Map<TeamRole, Partial<Record<Permission, boolean>>>();
  for (const { role, permission, isHeld } of rows) {
    if (!isTeamRole(role) || !isPermission(permission)) continue;
    changed.set(role, { ...changed.get(role), [permission]: isHeld });
  }
  return changed;
}

/** The answer to a role that does not exist. */
export function noSuchRole(): Problem {
  return new Problem({ status: 404, title: 'There is no such role.' });
}

/** The team roles of a company, which its Owners may adjust. The guard decided who may ask. */
export class Roles {
  readonly #store: Pick<Store, 'db' | 'channel'>;

  constructor(store: Pick<Store, 'db' | 'channel'>) {
    this.#store = store;
  }

  /** What each role may do in the company, the one that may least first. */
  async list(person: Pick<Member, 'companyId'>): Promise<Role[]> {
    const changed = await readChangedRoles(this.#store.db, person.companyId);
    return [teamRoles.Viewer, teamRoles.SecretViewer, teamRoles.TeamAdmin].map((role) =>
      roleOf(role, changed.get(role)),
    );
  }

  /** One of them. Throws Problem 404. */
  async one(person: Pick<Member, 'companyId'>, role: number): Promise<Role> {
    if (!isTeamRole(role)) throw noSuchRole();
    return roleOf(role, (await readChangedRoles(this.#store.db, person.companyId)).get(role));
  }

  /**
   * Changes what a role may do, for everybody who has it. Throws Problem 404, and 409 for a role that could do nothing,
   * or change what it may not see.
   * @returns the role as it was before, and as it is now
   */
  async change(
    person: Pick<Member, 'id' | 'companyId'>,
    role: number,
    held: readonly Permission[],
  ): Promise<{ readonly before: Role; readonly after: Role }> {
    if (!isTeamRole(role)) throw noSuchRole();
    requireSound(held);
    const { companyId } = person;
    const changes = roleChangesOf(role, held);
    return await changeGrants(this.#store, person, async (tx) => {
      // Of two Owners who change it at the same moment the second one finds what the first one made.
      await tx
        .select({ id: companies.id })
        .from(companies)
        .where(eq(companies.id, companyId))
        .for('no key update');
      await requireStillOwner(tx, person);
      const before = roleOf(role, (await readChangedRoles(tx, companyId)).get(role));
      await tx
        .delete(roleAdjustments)
        .where(and(eq(roleAdjustments.companyId, companyId), eq(roleAdjustments.role, role)));
      const rows = Object.entries(changes).map(([permission, isHeld]) => ({
        companyId,
        role,
        permission,
        isHeld,
      }));
      if (rows.length > 0) await tx.insert(roleAdjustments).values(rows);
      return { before, after: roleOf(role, changes) };
    });
  }
}

function roleOf(role: TeamRole, changes: RoleChanges | undefined): Role {
  return {
    role,
    permissions: [...permissionsOfRole(role, changes)],
    defaults: [...permissionsOfRole(role)],
  };
}

/** Throws Problem 409 unless a role may see whatever it may change, and may do something. */
function requireSound(held: readonly Permission[]): void {
  if (held.length === 0) {
    throw new Problem({
      status: 409,
      title: 'A role needs at least one permission. To take everything away, remove people from their teams.',
    });
  }
  for (const permission of held) {
    const view = viewOf(permission);
    if (view === undefined || held.includes(view)) continue;
    throw new Problem({
      status: 409,
      title: `A role with ${permission} needs ${view} as well: people cannot change what they cannot see.`,
    });
  }
}
