import { randomUUID } from 'node:crypto';
import { and, desc, eq, inArray } from 'drizzle-orm';
import { notificationLimit, type PersonalEvent } from '../../contract/notifications.ts';
import { follows, notifications } from '../store/schema/notifications.ts';
import type { Store, Transaction } from '../store/store.ts';
import { happenings } from '../store/schema/webhooks.ts';
import type { Followers, Happening, WebhookOwner } from '../webhooks/happenings.ts';
import { concerns } from './concerns.ts';

/** Notifies people of what happens to what they follow. */
export class StoredFollowers implements Followers {
  readonly #store: Pick<Store, 'db' | 'channel'>;

  constructor(store: Pick<Store, 'db' | 'channel'>) {
    this.#store = store;
  }

  async wanting(happening: Happening): Promise<readonly WebhookOwner[]> {
    const rows = await this.#store.db
      .select()
      .from(follows)
      .where(and(eq(follows.clusterId, happening.clusterId), eq(follows.companyId, happening.companyId)));
    const people = new Set<number>();
    for (const row of rows)
      if (row.userId !== happening.byUserId && concerns(row, happening)) people.add(row.userId);
    const { companyId, clusterId } = happening;
    return [...people].map((userId) => ({ userId, companyId, clusterId }));
  }

  async store(
    tx: Transaction,
    { id }: { readonly id: string },
    hearers: readonly WebhookOwner[],
  ): Promise<void> {
    await tx
      .insert(notifications)
      .values(
        hearers.map(({ userId, companyId }) => ({ id: randomUUID(), userId, companyId, happeningId: id })),
      )
      .onConflictDoNothing();
    for (const hearer of hearers) await this.#dropOldest(tx, hearer);
  }

  /** Tells one person that what they waited for is over, once on all servers, and ends their wait. */
  async tellOne(
    follow: typeof follows.$inferSelect,
    news: Pick<Happening, 'permission' | 'namespace' | 'data'> & { readonly type: PersonalEvent },
  ): Promise<void> {
    const { id: followId, userId, companyId, clusterId } = follow;
    const person = { userId, companyId, clusterId };
    const isTold = await this.#store.db.transaction(async (tx) => {
      const ended = await tx.delete(follows).where(eq(follows.id, followId)).returning({ id: follows.id });
      if (ended.length === 0) return false;
      const id = randomUUID();
      await tx.insert(happenings).values({ ...news, id, key: `wait/${followId}`, companyId, clusterId });
      await this.store(tx, { id }, [person]);
      return true;
    });
    if (isTold) await this.tell([person]);
  }

  async tell(hearers: readonly WebhookOwner[]): Promise<void> {
    if (hearers.length === 0) return;
    const { channel } = this.#store;
    await channel.notify('notifications', { userIds: hearers.map(({ userId }) => userId) });
  }

  async #dropOldest(tx: Transaction, { userId, companyId }: WebhookOwner): Promise<void> {
    const own = and(eq(notifications.userId, userId), eq(notifications.companyId, companyId));
    const old = tx
      .select({ id: notifications.id })
      .from(notifications)
      .where(own)
      .orderBy(desc(notifications.createdAt), notifications.id)
      .offset(notificationLimit);
    await tx.delete(notifications).where(inArray(notifications.id, old));
  }
}
