import { and, arrayContains, count, eq, gt, inArray, min, ne, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { isCovered } from '../../contract/acknowledged-causes.ts';
import type { Acknowledgement } from '../../contract/acknowledgements.ts';
import type { Clock } from '../kit/clock.ts';
import { memberships } from '../store/schema/memberships.ts';
import { alerts, follows, notifications } from '../store/schema/notifications.ts';
import { preferences } from '../store/schema/profile.ts';
import { acknowledgements } from '../store/schema/troubles.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Followers, Happening, Hearer, WebhookOwner } from '../webhooks/happenings.ts';
import {
  type AlertDelivery,
  type PersonalNews,
  storeNotifications,
  storePersonal,
  tellNotified,
} from '../webhooks/personal-news.ts';
import { alertsOf } from './alert-settings.ts';
import { deliveryOf } from './alert-times.ts';
import { concerns, isAlertOf, namedBy } from './concerns.ts';

const hour = 3_600_000;

/** Notifies people of what happens to what they follow. */
export class StoredFollowers implements Followers {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #log: Pick<Logger, 'warn'>;

  readonly #clock: Pick<Clock, 'now'>;

  constructor(store: Pick<Store, 'db' | 'channel'>, log: Pick<Logger, 'warn'>, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#log = log;
    this.#clock = clock;
  }

  async wanting(happening: Happening): Promise<readonly Hearer[]> {
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
    const alerted = await this.#store.db
      .select({ of: alerts })
      .from(alerts)
      .innerJoin(
        memberships,
        and(eq(memberships.userId, alerts.userId), eq(memberships.companyId, alerts.companyId)),
      )
      .where(
        and(
          eq(alerts.clusterId, clusterId),
          eq(alerts.companyId, companyId),
          eq(memberships.state, 'active'),
          arrayContains(alerts.events, [happening.type]),
        ),
      );
    const people = new Map<number, boolean>();
    for (const { of } of rows) if (concerns(of, happening)) people.set(of.userId, false);
    for (const { of } of alerted) if (isAlertOf(of, happening)) people.set(of.userId, true);
    for (const userId of await this.#acknowledging([...people.keys()], happening)) people.delete(userId);
    return [...people].map(([userId, isAlert]) => ({ userId, companyId, clusterId, isAlert }));
  }

  /** Those of some people who acknowledged the trouble that a happening is about. */
  async #acknowledging(
    userIds: readonly number[],
    { companyId, clusterId, causes, data: { object } }: Happening,
  ): Promise<readonly number[]> {
    if (userIds.length === 0 || object === undefined || causes === undefined) return [];
    const rows = await this.#store.db
      .select({ userId: acknowledgements.userId, causes: acknowledgements.causes })
      .from(acknowledgements)
      .where(
        and(
          eq(acknowledgements.companyId, companyId),
          eq(acknowledgements.clusterId, clusterId),
          eq(acknowledgements.kind, object.kind),
          eq(acknowledgements.namespace, object.namespace ?? ''),
          eq(acknowledgements.name, object.name),
          gt(acknowledgements.until, sql`now()`),
          inArray(acknowledgements.userId, [...userIds]),
        ),
      );
    return rows.flatMap(({ userId, causes: known }) =>
      isCovered({ causes }, { causes: known as Acknowledgement['causes'] }) ? [userId] : [],
    );
  }

  async store(
    tx: Transaction,
    happening: { readonly id: string },
    hearers: readonly Hearer[],
  ): Promise<void> {
    await storeNotifications(tx, happening, hearers, await this.#deliveries(tx, hearers));
  }

  /** How people are told besides the bell, by their ids. Only what they asked to be alerted to is mailed. */
  async #deliveries(
    tx: Transaction,
    hearers: readonly Hearer[],
  ): Promise<ReadonlyMap<number, AlertDelivery>> {
    const userIds = hearers.map(({ userId }) => userId);
    if (userIds.length === 0) return new Map();
    const now = this.#clock.now();
    const chosen = await tx
      .select({ userId: preferences.userId, alerts: preferences.alerts })
      .from(preferences)
      .where(inArray(preferences.userId, userIds));
    const recent = await tx
      .select({
        userId: notifications.userId,
        count: count(),
        since: min(notifications.createdAt),
      })
      .from(notifications)
      .where(
        and(
          inArray(notifications.userId, userIds),
          gt(notifications.createdAt, new Date(now - hour).toISOString()),
        ),
      )
      .groupBy(notifications.userId);
    const settings = new Map(chosen.map(({ userId, alerts }) => [userId, alerts]));
    const hours = new Map(recent.map((one) => [one.userId, one]));
    return new Map(
      hearers.map(({ userId, isAlert }) => {
        const own = hours.get(userId);
        const since = own?.since === undefined || own.since === null ? now : Date.parse(own.since);
        const { isQuiet, mailAt } = deliveryOf(alertsOf(settings.get(userId)), now, {
          count: own?.count ?? 0,
          since,
        });
        return [userId, { isQuiet, mailAt: isAlert ? mailAt : null }];
      }),
    );
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
