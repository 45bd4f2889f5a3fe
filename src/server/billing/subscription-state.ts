import { and, asc, eq } from 'drizzle-orm';
import { orgRoles } from '../../contract/permissions.ts';
import type { Subscription } from '../../contract/subscription.ts';
import { users } from '../store/schema/accounts.ts';
import { subscriptions } from '../store/schema/billing.ts';
import { companies } from '../store/schema/companies.ts';
import { memberships } from '../store/schema/memberships.ts';
import type { Store } from '../store/store.ts';
import type { PlanLimits } from '../plans/limits.ts';
import type { BillingProvider } from './provider.ts';

/**
 * The plan of a company as its people see it.
 * @param provider the one that sells plans; null where none does
 */
export async function readSubscription(
  { store, limits }: { readonly store: Pick<Store, 'db'>; readonly limits: PlanLimits },
  companyId: number,
  provider: BillingProvider['name'] | null,
): Promise<Subscription> {
  const { db } = store;
  const allowed = await limits.of(db, companyId);
  const [row] =
    provider === null
      ? []
      : await db
          .select()
          .from(subscriptions)
          .where(and(eq(subscriptions.companyId, companyId), eq(subscriptions.provider, provider)));
  const [company] = await db
    .select({ days: companies.auditDays })
    .from(companies)
    .where(eq(companies.id, companyId));
  const taken = await limits.seats(db, companyId);
  const owners = await db
    .select({ name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.companyId, companyId),
        eq(memberships.orgRole, orgRoles.Owner),
        eq(memberships.state, 'active'),
      ),
    )
    .orderBy(asc(users.name))
    .limit(20);
  return {
    isConfigured: provider !== null,
    isTest: provider === 'test',
    plan:
      row === undefined || row.state === null
        ? null
        : {
            id: row.planId,
            name: row.planName === '' ? row.planId : row.planName,
            state: row.state,
            seats: row.seats,
            endsAt: row.endsAt,
            nextBillingAt: row.nextBillingAt,
          },
    seats: { used: taken.members + taken.invitations, allowed: allowed.members, ...taken },
    clusters: { used: await limits.clusters(db, companyId), allowed: allowed.clusters },
    retention: { days: company?.days ?? null, allowed: allowed.retentionDays },
    owners: owners.map(({ name }) => name),
  };
}
