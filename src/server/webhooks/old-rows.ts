import { lt, sql } from 'drizzle-orm';
import { orgRoles } from '../../contract/permissions.ts';
import { deliveryDays } from '../../contract/webhooks.ts';
import type { Duty } from '../duties/duties.ts';
import type { Clock } from '../kit/clock.ts';
import { pause } from '../kit/pause.ts';
import { happenings, webhookDeliveries } from '../store/schema/webhooks.ts';
import type { Store } from '../store/store.ts';

/** Old rows are deleted this often, ms. */
const interval = 3_600_000;

/** The duty that deletes deliveries, and what they told of, once they are no longer shown, and follows of what was lost. */
export const forgettingDuty = (store: Pick<Store, 'db'>, clock: Clock): Duty => ({
  key: 'webhooks/old-rows',
  async run(signal) {
    while (!signal.aborted) {
      await forgetOldRows(store.db);
      await forgetLostFollows(store.db);
      await pause(clock, interval, signal).catch(() => undefined);
    }
  },
});

/** Deletes deliveries and happenings that are older than they are kept. */
export async function forgetOldRows(db: Store['db']): Promise<void> {
  const old = sql`now() - make_interval(days => ${deliveryDays})`;
  await db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, old));
  await db.delete(happenings).where(lt(happenings.at, old));
}

/**
 * Deletes what people follow, or are alerted to, on clusters that no team of theirs reaches any more: nobody hears of it, and the cluster
 * would be watched for it. Suspended people keep theirs, for which no cluster is watched.
 */
export async function forgetLostFollows(db: Store['db']): Promise<void> {
  for (const table of [sql`follows`, sql`alerts`])
    await db.execute(sql`delete from ${table} f using memberships m
    where m.user_id = f.user_id and m.company_id = f.company_id
      and m.state = 'active' and m.org_role <> ${orgRoles.Owner}
      and not exists (select 1 from team_places tp join team_clusters tc on tc.team_id = tp.team_id
        where tp.user_id = f.user_id and tp.company_id = f.company_id and tc.cluster_id = f.cluster_id)`);
}
