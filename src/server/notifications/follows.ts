import { randomUUID } from 'node:crypto';
import { and, count, desc, eq } from 'drizzle-orm';
import { customPermissions } from '../../../commands/kinds/custom.ts';
import { kindById } from '../../../commands/kinds/index.ts';
import { type AlertEvent, beginsOf, withEnds } from '../../contract/alert-events.ts';
import { type Follow, followLimit, type FollowTarget } from '../../contract/notifications.ts';
import { Problem } from '../../contract/problem.ts';
import type { Grants, Reach } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { memberships } from '../store/schema/memberships.ts';
import { follows } from '../store/schema/notifications.ts';
import type { Store } from '../store/store.ts';

type FollowRow = typeof follows.$inferSelect;

/** What people follow: each person's own, in the company of their session. */
export class Follows {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #grants: Pick<Grants, 'reach'>;

  constructor(parts: {
    readonly store: Pick<Store, 'db' | 'channel'>;
    readonly grants: Pick<Grants, 'reach'>;
  }) {
    this.#store = parts.store;
    this.#grants = parts.grants;
  }

  /** The newest first, without what the person does not reach at this moment. */
  async list(person: Member): Promise<Follow[]> {
    const reached = new Map((await this.#grants.reach(person)).map((one) => [one.cluster.id, one]));
    const rows = await this.#store.db
      .select()
      .from(follows)
      .where(ownedBy(person))
      .orderBy(desc(follows.createdAt), follows.id);
    return rows.flatMap((row) => {
      const reach = reached.get(row.clusterId);
      return reach !== undefined && isReached(row, reach) ? [present(row, reach.cluster)] : [];
    });
  }

  /**
   * Follows something that the person was found to see. An alert that is there already is about the trouble of this call.
   * Throws Problem 409 at the limit.
   */
  async add(
    person: Member,
    cluster: ClusterRow,
    { object, namespace }: FollowTarget,
    { isUntilReady, alerts }: { readonly isUntilReady: boolean; readonly alerts?: readonly AlertEvent[] },
  ): Promise<Follow> {
    const events = alerts === undefined ? null : [...withEnds(alerts)];
    const { db, channel } = this.#store;
    const target = {
      kind: object?.kind ?? '',
      namespace: object?.namespace ?? namespace ?? '',
      name: object?.name ?? '',
    };
    const row = await db.transaction(async (tx) => {
      // One after the other for each person, so that several at once are counted.
      await tx
        .select({ userId: memberships.userId })
        .from(memberships)
        .where(and(eq(memberships.userId, person.id), eq(memberships.companyId, person.companyId)))
        .for('update');
      const [stored] = await tx
        .insert(follows)
        .values({
          id: randomUUID(),
          companyId: person.companyId,
          userId: person.id,
          clusterId: cluster.id,
          ...target,
          isUntilReady,
          isAlert: events !== null,
          events,
        })
        .onConflictDoUpdate({
          target: [
            follows.userId,
            follows.companyId,
            follows.clusterId,
            follows.kind,
            follows.namespace,
            follows.name,
            follows.isUntilReady,
            follows.isAlert,
          ],
          set: { events },
        })
        .returning();
      const [there] = await tx.select({ follows: count() }).from(follows).where(ownedBy(person));
      if ((there?.follows ?? 0) > followLimit)
        throw new Problem({
          status: 409,
          title: `You follow ${followLimit} things, the maximum. Unfollow one of them in the bell first.`,
        });
      return stored;
    });
    if (row === undefined) throw new Error('Could not save what you follow.');
    await channel.notify('notifications', { userIds: [person.id] });
    if (isUntilReady) await channel.notify('waits', { clusterId: cluster.id });
    return present(row, cluster);
  }

  /** Follows something no longer. Throws Problem 404. */
  async remove(person: Member, id: string): Promise<void> {
    const { db, channel } = this.#store;
    const gone = await db
      .delete(follows)
      .where(and(ownedBy(person), eq(follows.id, id)))
      .returning({ id: follows.id });
    if (gone.length === 0) throw new Problem({ status: 404, title: 'You no longer follow this.' });
    await channel.notify('notifications', { userIds: [person.id] });
  }
}

const ownedBy = ({ id, companyId }: Member) => and(eq(follows.userId, id), eq(follows.companyId, companyId));

/** Whether somebody may view what they follow; whoever lost it is not told its name either. */
function isReached({ kind, namespace }: FollowRow, { held }: Reach): boolean {
  const place = namespace === '' ? ('cluster' as const) : { namespace };
  if (kind !== '') return held.may((kindById(kind)?.permissions ?? customPermissions).view, place);
  return namespace === '' || held.may('namespaces.view', place);
}

const present = (row: FollowRow, cluster: Pick<ClusterRow, 'id' | 'name'>): Follow => ({
  id: row.id,
  cluster: { id: cluster.id, name: cluster.name },
  ...(row.kind === ''
    ? row.namespace === ''
      ? {}
      : { namespace: row.namespace }
    : {
        object: {
          kind: row.kind,
          ...(row.namespace === '' ? {} : { namespace: row.namespace }),
          name: row.name,
        },
      }),
  isUntilReady: row.isUntilReady,
  ...(row.events === null ? {} : { alerts: [...beginsOf(row.events)] }),
  createdAt: row.createdAt,
});
