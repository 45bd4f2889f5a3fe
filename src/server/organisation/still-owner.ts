import { and, eq } from 'drizzle-orm';
import { orgRoles } from '../../contract/permissions.ts';
import { type Member, onlyOwners } from '../access/person.ts';
import { memberships } from '../store/schema/memberships.ts';
import type { Transaction } from '../store/store.ts';

/**
 * Throws Problem 403 where somebody is no Owner any more. Whoever ends or changes their membership waits for the lock; so
 * nothing that is for Owners is done between the guard's check and that.
 */
export async function requireStillOwner(
  tx: Transaction,
  { id, companyId }: Pick<Member, 'id' | 'companyId'>,
): Promise<void> {
  const [own] = await tx
    .select({ orgRole: memberships.orgRole, state: memberships.state })
    .from(memberships)
    .where(and(eq(memberships.userId, id), eq(memberships.companyId, companyId)))
    .for('share');
  if (own?.state === 'active' && own.orgRole === orgRoles.Owner) return;
  throw onlyOwners();
}
