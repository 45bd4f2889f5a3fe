import { and, eq } from 'drizzle-orm';
import type { Subscription } from '../../contract/subscription.ts';
import { subscriptions } from '../store/schema/billing.ts';
import { companies } from '../store/schema/companies.ts';
import type { Store } from '../store/store.ts';
import { ownerNames } from '../organisation/owners.ts';
import type { PlanLimits } from '../plans/limits.ts';
import type { BillingProvider } from './provider.ts';

/** As many Owners are named to whoever cannot choose a plan. */
const namedOwners = 20;

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
    owners: await ownerNames(store, companyId, namedOwners),
  };
}
