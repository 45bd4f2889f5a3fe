import { and, eq, sql, type SQL } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import { companies } from '../store/schema/companies.ts';
import { identityProviders } from '../store/schema/identities.ts';
import { memberships } from '../store/schema/memberships.ts';
import type { Database } from '../store/store.ts';

/**
 * The condition by which a session that no provider of the company opened may act in it: the company enforces none, or
 * the operator made the membership. `memberships` is in the query, under its own name or as `m`.
 */
export function isOpenToAll(membership: 'memberships' | 'm' = 'memberships'): SQL {
  const m = sql.raw(membership);
  return sql`(${m}.is_local or not exists (select 1 from identity_providers enforced
    where enforced.company_id = ${m}.company_id and enforced.is_enforced))`;
}

/**
 * Throws Problem 403, with the address where they sign in, for somebody whose every company enforces its own provider:
 * another way of signing in would open nothing.
 */
export async function requireOpenCompany(db: Database, userId: number): Promise<void> {
  const rows = await db
    .select({
      company: companies.name,
      isOpen: sql<boolean>`${isOpenToAll()}`,
      key: identityProviders.key,
      label: identityProviders.name,
    })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .leftJoin(
      identityProviders,
      and(eq(identityProviders.companyId, memberships.companyId), eq(identityProviders.isEnforced, true)),
    )
    .where(and(eq(memberships.userId, userId), eq(memberships.state, 'active')));
  const [first] = rows;
  if (first === undefined || rows.some(({ isOpen }) => isOpen)) return;
  throw new Problem({
    status: 403,
    title: `${first.company} lets its people sign in by ${first.label ?? 'its provider'} alone. Open /login?provider=${first.key ?? ''} in this console.`,
  });
}
