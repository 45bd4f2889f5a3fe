import { eq } from 'drizzle-orm';
import {
  isPermission,
  isTeamRole,
  type Permission,
  permissionsOfRole,
  type RoleChanges,
  type TeamRole,
  teamRoles,
} from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Role } from '../../contract/roles.ts';
import type { Member } from '../access/person.ts';
import { roleAdjustments } from '../store/schema.ts';
import type { Database, Store, Transaction } from '../store/store.ts';

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
  return new Problem({ status: 404, title: 'No such role.' });
}

/** The team roles of a company, which its Owners may adjust. The guard decided who may ask. */
export class Roles {
  readonly #store: Pick<Store, 'db'>;

  constructor(store: Pick<Store, 'db'>) {
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
}

function roleOf(role: TeamRole, changes: RoleChanges | undefined): Role {
  return {
    role,
    permissions: [...permissionsOfRole(role, changes)],
    defaults: [...permissionsOfRole(role)],
  };
}
