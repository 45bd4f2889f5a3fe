import { and, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { type Notification, type Notifications, notificationLimit } from '../../contract/notifications.ts';
import type { Grants } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import type { AccountNoticeType } from '../access/account-notice.ts';
import { readRequests, type SeenRequest } from '../organisation/access-sight.ts';
import { accountNotices, notifications } from '../store/schema/notifications.ts';
import { happenings } from '../store/schema/webhooks.ts';
import type { Store } from '../store/store.ts';
import type { HappeningData } from '../webhooks/bodies.ts';
import { isPartOf, mayHearOf } from '../webhooks/happenings.ts';

/** What people were told in the console: each person's own, in the company of their session. */
export class StoredNotifications {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #grants: Pick<Grants, 'reach'>;

  constructor(parts: {
    readonly store: Pick<Store, 'db' | 'channel'>;
    readonly grants: Pick<Grants, 'reach'>;
  }) {
    this.#store = parts.store;
    this.#grants = parts.grants;
  }

  /** The newest first, without what the person may not see, or leaves out, at this moment. */
  async list(person: Member): Promise<Notifications> {
    const reached = new Map((await this.#grants.reach(person)).map((one) => [one.cluster.id, one]));
    const rows = await this.#store.db
      .select({ own: notifications, of: happenings })
      .from(notifications)
      .innerJoin(happenings, eq(happenings.id, notifications.happeningId))
      .where(ownedBy(person))
      .orderBy(desc(notifications.createdAt), notifications.id)
      .limit(notificationLimit);
    const requests = await this.#requests(
      person,
      rows.flatMap(({ of }) => of.accessRequestId ?? []),
    );
    const shown: Notification[] = [];
    for (const { own, of } of rows) {
      const reach = reached.get(of.clusterId);
      if (reach === undefined) continue;
      const mayHear =
        of.accessRequestId === null
          ? mayHearOf(reach, of)
          : isPartOf(requests.get(of.accessRequestId), of.type);
      if (!mayHear) continue;
      const { title, object, path } = of.data as HappeningData;
      shown.push({
        id: own.id,
        type: of.type,
        at: of.at,
        isRead: own.readAt !== null,
        ...(own.isQuiet ? { isQuiet: true as const } : {}),
        title,
        // The name of today: what was told may be weeks old.
        cluster: { id: of.clusterId, name: reach.cluster.name },
        ...(object === undefined ? {} : { object }),
        path,
      });
    }
    const all = [...shown, ...(await this.#ofAccount(person))];
    all.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
    return { notifications: all, unread: all.filter(({ isRead }) => !isRead).length };
  }

  /**
   * Notices of the person’s account, and of what is theirs in the company of the session.
   */
  async #ofAccount(person: Member): Promise<Notification[]> {
    const rows = await this.#store.db.select().from(accountNotices).where(noticesFor(person));
    return rows.map(({ id, type, title, readAt, createdAt }) => ({
      id,
      type,
      at: createdAt,
      isRead: readAt !== null,
      title,
      path: `/settings?section=${sectionOf[type as AccountNoticeType]}`,
    }));
  }

  /** The access requests of some ids that a person sees, by id. */
  async #requests(person: Member, ids: readonly number[]): Promise<ReadonlyMap<number, SeenRequest>> {
    const [first, ...others] = new Set(ids);
    if (first === undefined) return new Map();
    const { requests } = await readRequests(this.#store.db, person, [first, ...others]);
    return new Map(requests.map((one) => [one.request.id, one]));
  }

  /** Marks some of a person's as read or unread, or clears them; their other pages follow. */
  async change(person: Member, ids: readonly string[], change: 'read' | 'unread' | 'clear'): Promise<void> {
    const { db, channel } = this.#store;
    if (ids.length === 0) return;
    const some = and(ownedBy(person), inArray(notifications.id, [...ids]));
    const ofAccount = and(noticesFor(person), inArray(accountNotices.id, [...ids]));
    if (change === 'clear') {
      await db.delete(notifications).where(some);
      await db.delete(accountNotices).where(ofAccount);
    } else {
      const readAt = change === 'read' ? sql`coalesce(read_at, now())` : null;
      await db.update(notifications).set({ readAt }).where(some);
      await db.update(accountNotices).set({ readAt }).where(ofAccount);
    }
    await channel.notify('notifications', { userIds: [person.id] });
  }
}

const ownedBy = ({ id, companyId }: Member) =>
  and(eq(notifications.userId, id), eq(notifications.companyId, companyId));

/**
 * The condition that a notice of an account is for a session. One that a company's provider opened has no part in the
 * account itself: whoever runs the provider could open one, and clear what tells of it.
 */
const noticesFor = ({ id, companyId, providerId }: Member) =>
  and(
    eq(accountNotices.userId, id),
    or(
      eq(accountNotices.companyId, companyId),
      providerId === null ? isNull(accountNotices.companyId) : undefined,
    ),
  );

/** The section of the settings that a notice leads to. */
const sectionOf: Readonly<Record<AccountNoticeType, string>> = {
  'account.changed': 'sign-in',
  'account.suspicious': 'sign-in',
  'token.ending': 'tokens',
};
