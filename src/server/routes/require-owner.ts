import { and, eq } from 'drizzle-orm';
import { orgRoles } from '../../contract/permissions.ts';
import { type Member, onlyOwners } from '../access/person.ts';
import { memberships } from '../store/schema/memberships.ts';
import type { Store } from '../store/store.ts';

/**
 * Asks again, while an answer takes its time, whether somebody is an Owner of their company. Throws Problem 403.
 * @param title says what only Owners do
 */
export async function requireOwner(
  { db }: Pick<Store, 'db'>,
  { id, companyId }: Member,
  title: string,
): Promise<void> {
  const [row] = await db
    .select({ id: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.userId, id),
        eq(memberships.companyId, companyId),
        eq(memberships.state, 'active'),
        eq(memberships.orgRole, orgRoles.Owner),
      ),
    );
  if (row === undefined) throw onlyOwners(title);
}
