import { and, eq } from 'drizzle-orm';
import { orgRoles } from '../../contract/permissions.ts';
import { users } from '../store/schema/accounts.ts';
import { memberships } from '../store/schema/memberships.ts';
import type { Store } from '../store/store.ts';
import { byName } from './by-name.ts';

/** A membership makes its person an Owner who is not suspended. */
export const isActiveOwner = and(eq(memberships.orgRole, orgRoles.Owner), eq(memberships.state, 'active'));

/** The names of the Owners of a company, for people of the same company. @param limit as many as are named */
export async function ownerNames(
  { db }: Pick<Store, 'db'>,
  companyId: number,
  limit = 1_000,
): Promise<string[]> {
  const rows = await db
    .select({ name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), isActiveOwner))
    .orderBy(byName(users.name), users.id)
    .limit(limit);
  return rows.map(({ name }) => name);
}
