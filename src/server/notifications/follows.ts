import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { customPermissions } from '../../../commands/kinds/custom.ts';
import { kindById } from '../../../commands/kinds/index.ts';
import { type AlertEvent, beginsOf, withEnds } from '../../contract/alert-events.ts';
import { type Follow, followLimit, type FollowTarget } from '../../contract/notifications.ts';
import { Problem } from '../../contract/problem.ts';
import type { Grants, Reach } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { memberships } from '../store/schema/memberships.ts';
import { alerts, follows } from '../store/schema/notifications.ts';
import type { Store, Transaction } from '../store/store.ts';

/** Something that is followed, or an alert: the latter has events. */
type Row = typeof follows.$inferSelect & { readonly events?: readonly string[] };

/** Of an alert, which is about a cluster or a namespace as a whole. */
const wholePlace = { kind: '', name: '', isUntilReady: false } as const;

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
    const own = await this.#store.db.select().from(follows).where(ownedBy(follows, person));
    const alerted = await this.#store.db.select().from(alerts).where(ownedBy(alerts, person));
    const rows: Row[] = [...own, ...alerted.map((alert) => ({ ...alert, ...wholePlace }))];
    rows.sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? -1 : 1));
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
    wanted: { readonly isUntilReady: boolean; readonly alerts?: readonly AlertEvent[] },
  ): Promise<Follow> {
    const { isUntilReady } = wanted;
    const { db, channel } = this.#store;
    const place = {
      id: randomUUID(),
      companyId: person.companyId,
      userId: person.id,
      clusterId: cluster.id,
      namespace: object?.namespace ?? namespace ?? '',
    };
    const row = await db.transaction(async (tx) => {
      // One after the other for each person, so that several at once are counted.
      await tx
        .select({ userId: memberships.userId })
        .from(memberships)
        .where(and(eq(memberships.userId, person.id), eq(memberships.companyId, person.companyId)))
        .for('update');
      const stored =
        wanted.alerts === undefined
          ? await insertFollow(tx, {
              ...place,
              kind: object?.kind ?? '',
              name: object?.name ?? '',
              isUntilReady,
            })
          : await insertAlert(tx, { ...place, events: [...withEnds(wanted.alerts)] });
      const counts = await Promise.all(
        [follows, alerts].map((table) => tx.$count(table, ownedBy(table, person))),
      );
      if (counts.reduce((sum, one) => sum + one, 0) > followLimit)
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
    const gone: unknown[] = [];
    for (const table of [follows, alerts])
      gone.push(
        ...(await db
          .delete(table)
          .where(and(ownedBy(table, person), eq(table.id, id)))
          .returning({ id: table.id })),
      );
    if (gone.length === 0) throw new Problem({ status: 404, title: 'You no longer follow this.' });
    await channel.notify('notifications', { userIds: [person.id] });
  }
}

const ownedBy = (table: typeof follows | typeof alerts, { id, companyId }: Member) =>
  and(eq(table.userId, id), eq(table.companyId, companyId));

async function insertFollow(tx: Transaction, values: typeof follows.$inferInsert): Promise<Row | undefined> {
  const [stored] = await tx
    .insert(follows)
    .values(values)
    .onConflictDoUpdate({
      target: [
        follows.userId,
        follows.companyId,
        follows.clusterId,
        follows.kind,
        follows.namespace,
        follows.name,
        follows.isUntilReady,
      ],
      // As it is: for the row in the answer.
      set: { isUntilReady: values.isUntilReady ?? false },
    })
    .returning();
  return stored;
}

async function insertAlert(tx: Transaction, values: typeof alerts.$inferInsert): Promise<Row | undefined> {
  const [stored] = await tx
    .insert(alerts)
    .values(values)
    .onConflictDoUpdate({
      target: [alerts.userId, alerts.companyId, alerts.clusterId, alerts.namespace],
      set: { events: values.events },
    })
    .returning();
  return stored && { ...stored, ...wholePlace };
}

/** Whether somebody may view what they follow; whoever lost it is not told its name either. */
function isReached({ kind, namespace }: Row, { held }: Reach): boolean {
  const place = namespace === '' ? ('cluster' as const) : { namespace };
  if (kind !== '') return held.may((kindById(kind)?.permissions ?? customPermissions).view, place);
  return namespace === '' || held.may('namespaces.view', place);
}

const present = (row: Row, cluster: Pick<ClusterRow, 'id' | 'name'>): Follow => ({
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
  ...(row.events === undefined ? {} : { alerts: [...beginsOf(row.events)] }),
  createdAt: row.createdAt,
});
