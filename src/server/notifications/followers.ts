import { randomUUID } from 'node:crypto';
import { and, desc, eq, inArray } from 'drizzle-orm';
import { notificationLimit } from '../../contract/notifications.ts';
import { follows, notifications } from '../store/schema/notifications.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Followers, Happening, WebhookOwner } from '../webhooks/happenings.ts';
import { concerns, isReadyNews } from './concerns.ts';

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
    { id, of }: { readonly id: string; readonly of: Happening },
    hearers: readonly WebhookOwner[],
  ): Promise<void> {
    await tx
      .insert(notifications)
      .values(
        hearers.map(({ userId, companyId }) => ({ id: randomUUID(), userId, companyId, happeningId: id })),
      )
      .onConflictDoNothing();
    for (const hearer of hearers) {
      await this.#dropOldest(tx, hearer);
      await this.#endWaits(tx, hearer, of);
    }
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

  /** Ends what somebody followed until this. */
  async #endWaits(
    tx: Transaction,
    { userId, companyId, clusterId }: WebhookOwner,
    of: Happening,
  ): Promise<void> {
    const waits = await tx
      .select()
      .from(follows)
      .where(
        and(
          eq(follows.userId, userId),
          eq(follows.companyId, companyId),
          eq(follows.clusterId, clusterId),
          eq(follows.isUntilReady, true),
        ),
      );
    const over = waits.filter((row) => concerns(row, of) && isReadyNews(row, of)).map(({ id }) => id);
    if (over.length > 0) await tx.delete(follows).where(inArray(follows.id, over));
  }
}
