import { and, eq, inArray, ne } from 'drizzle-orm';
import type { Logger } from 'pino';
import { memberships } from '../store/schema/memberships.ts';
import { follows } from '../store/schema/notifications.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Followers, Happening, WebhookOwner } from '../webhooks/happenings.ts';
import {
  type PersonalNews,
  storeNotifications,
  storePersonal,
  tellNotified,
} from '../webhooks/personal-news.ts';
import { concerns, namedBy } from './concerns.ts';

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
