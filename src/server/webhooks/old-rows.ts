import { lt, sql } from 'drizzle-orm';
import { deliveryDays } from '../../contract/webhooks.ts';
import type { Duty } from '../duties/duties.ts';
import type { Clock } from '../kit/clock.ts';
import { pause } from '../kit/pause.ts';
import { happenings, webhookDeliveries } from '../store/schema/webhooks.ts';
import type { Store } from '../store/store.ts';

/** Old rows are deleted this often, ms. */
const interval = 3_600_000;

/** The duty that deletes deliveries, and what they told of, once they are no longer shown. */
export const forgettingDuty = (store: Pick<Store, 'db'>, clock: Clock): Duty => ({
  key: 'webhooks/old-rows',
  async run(signal) {
    while (!signal.aborted) {
      await forgetOldRows(store.db);
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
