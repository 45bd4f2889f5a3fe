import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { PersonalEvent } from '../../contract/event-tone.ts';
import { notificationLimit } from '../../contract/notifications.ts';
import { describeError } from '../kit/describe-error.ts';
import { notifications } from '../store/schema/notifications.ts';
import { happenings } from '../store/schema/webhooks.ts';
import { type Channel, noticeSize, type Transaction } from '../store/store.ts';
import type { Happening, WebhookOwner } from './happenings.ts';

/** How one alert is delivered besides the bell. */
export interface AlertDelivery {
  /** The bell alone shows it. */
  readonly isQuiet: boolean;
  /** When it is mailed, epoch ms; null where it is not. */
  readonly mailAt: number | null;
}

/** News for one person, and for no webhook. */
export interface PersonalNews extends Pick<Happening, 'key' | 'permission' | 'namespace' | 'data'> {
  readonly type: PersonalEvent;
}

/**
 * Tells the open pages of people that their notifications changed, after the commit. Never fails: what is told is stored,
 * and a page that hears nothing asks by itself.
 */
export async function tellNotified(
  channel: Pick<Channel, 'notify'>,
  log: Pick<Logger, 'warn'>,
  userIds: readonly number[],
): Promise<void> {
  try {
    for (let at = 0; at < userIds.length; at += noticeSize)
      await channel.notify('notifications', { userIds: userIds.slice(at, at + noticeSize) });
  } catch (error) {
    log.warn({ err: describeError(error) }, 'Open pages were not told of new notifications');
  }
}

/** Stores news for one person, who is told of them by whoever calls. */
export async function storePersonal(
  tx: Transaction,
  person: WebhookOwner,
  news: PersonalNews,
): Promise<void> {
  const { companyId, clusterId } = person;
  const id = randomUUID();
  await tx.insert(happenings).values({ ...news, id, companyId, clusterId });
  await storeNotifications(tx, { id }, [person]);
}

/**
 * Stores a happening for people of one company, once for each, and drops what is beyond what each keeps.
 * @param deliveries how it is delivered besides the bell, by the ids of people; as usual and without a mail for the others
 */
export async function storeNotifications(
  tx: Transaction,
  { id }: { readonly id: string },
  hearers: readonly WebhookOwner[],
  deliveries: ReadonlyMap<number, AlertDelivery> = new Map(),
): Promise<void> {
  const companyId = hearers[0]?.companyId;
  if (companyId === undefined) return;
  const userIds = hearers.map(({ userId }) => userId);
  await tx
    .insert(notifications)
    .values(
      userIds.map((userId) => {
        const { isQuiet = false, mailAt = null } = deliveries.get(userId) ?? {};
        const own = { isQuiet, mailAt: mailAt === null ? null : new Date(mailAt).toISOString() };
        return { id: randomUUID(), userId, companyId, happeningId: id, ...own };
      }),
    )
    .onConflictDoNothing();
  await tx.execute(sql`delete from notifications where id in (
    select id from (
      select id, row_number() over (partition by user_id order by created_at desc, id) as place
      from notifications where company_id = ${companyId} and user_id in ${userIds}) own
    where place > ${notificationLimit})`);
}
