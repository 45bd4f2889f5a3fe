import { randomUUID } from 'node:crypto';
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { notificationLimit, type PersonalEvent } from '../../contract/notifications.ts';
import { describeError } from '../kit/describe-error.ts';
import { memberships } from '../store/schema/memberships.ts';
import { follows, notifications } from '../store/schema/notifications.ts';
import { type Channel, noticeSize, type Store, type Transaction } from '../store/store.ts';
import { happenings } from '../store/schema/webhooks.ts';
import type { Followers, Happening, WebhookOwner } from '../webhooks/happenings.ts';
import { concerns, namedBy } from './concerns.ts';

/** News for one person, and for no webhook. */
export interface PersonalNews extends Pick<Happening, 'key' | 'permission' | 'namespace' | 'data'> {
  readonly type: PersonalEvent;
}

/** Notifies people of what happens to what they follow. */
export class StoredFollowers implements Followers {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #log: Pick<Logger, 'warn'>;

  constructor(store: Pick<Store, 'db' | 'channel'>, log: Pick<Logger, 'warn'>) {
    this.#store = store;
    this.#log = log;
  }

  async wanting(happening: Happening): Promise<readonly WebhookOwner[]> {
    const { companyId, clusterId, byUserId } = happening;
    const { namespaces, kinds, names } = namedBy(happening);
    const rows = await this.#store.db
      .select({ of: follows })
      .from(follows)
      .innerJoin(
        memberships,
        and(eq(memberships.userId, follows.userId), eq(memberships.companyId, follows.companyId)),
      )
      .where(
        and(
          eq(follows.clusterId, clusterId),
          eq(follows.companyId, companyId),
          eq(memberships.state, 'active'),
          inArray(follows.namespace, [...namespaces]),
          inArray(follows.kind, [...kinds]),
          inArray(follows.name, [...names]),
          typeof byUserId === 'number' ? ne(follows.userId, byUserId) : undefined,
        ),
      );
    const people = new Set<number>();
    for (const { of } of rows) if (concerns(of, happening)) people.add(of.userId);
    return [...people].map((userId) => ({ userId, companyId, clusterId }));
  }

  async store(
    tx: Transaction,
    happening: { readonly id: string },
    hearers: readonly WebhookOwner[],
  ): Promise<void> {
    await storeNotifications(tx, happening, hearers);
  }

  /** Tells one person that what they waited for is over, once on all servers, and ends their wait. */
  async tellOne(follow: typeof follows.$inferSelect, news: Omit<PersonalNews, 'key'>): Promise<void> {
    const { id: followId, userId, companyId, clusterId } = follow;
    const person = { userId, companyId, clusterId };
    const isTold = await this.#store.db.transaction(async (tx) => {
      const ended = await tx.delete(follows).where(eq(follows.id, followId)).returning({ id: follows.id });
      if (ended.length === 0) return false;
      await storePersonal(tx, person, { ...news, key: `wait/${followId}` });
      return true;
    });
    if (isTold) await this.tell([person]);
  }

  async tell(hearers: readonly WebhookOwner[]): Promise<void> {
    const userIds = hearers.map(({ userId }) => userId);
    await tellNotified(this.#store.channel, this.#log, userIds);
  }
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

/** Stores a happening for people of one company, once for each, and drops what is beyond what each keeps. */
async function storeNotifications(
  tx: Transaction,
  { id }: { readonly id: string },
  hearers: readonly WebhookOwner[],
): Promise<void> {
  const companyId = hearers[0]?.companyId;
  if (companyId === undefined) return;
  const userIds = hearers.map(({ userId }) => userId);
  await tx
    .insert(notifications)
    .values(userIds.map((userId) => ({ id: randomUUID(), userId, companyId, happeningId: id })))
    .onConflictDoNothing();
  await tx.execute(sql`delete from notifications where id in (
    select id from (
      select id, row_number() over (partition by user_id order by created_at desc, id) as place
      from notifications where company_id = ${companyId} and user_id in ${userIds}) own
    where place > ${notificationLimit})`);
}
