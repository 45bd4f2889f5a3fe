import { randomUUID } from 'node:crypto';
import { and, count, desc, eq, gt, lte, sql } from 'drizzle-orm';
import { customPermissions } from '../../../commands/kinds/custom.ts';
import { kindById } from '../../../commands/kinds/index.ts';
import { type Acknowledgement, acknowledgementLimit } from '../../contract/acknowledgements.ts';
import { builtInOf } from '../../registry/kinds/builtin.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { customPrefix, parseKindName } from '../../registry/kinds/resource-key.ts';
import { viewPlace } from '../access/place.ts';
import { Problem } from '../../contract/problem.ts';
import type { Grants, Reach } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import { memberships } from '../store/schema/memberships.ts';
import { acknowledgements } from '../store/schema/troubles.ts';
import type { Store } from '../store/store.ts';

type Row = typeof acknowledgements.$inferSelect;

interface Parts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly grants: Pick<Grants, 'reach'>;
}

/** The troubles that people acknowledged: each person's own, in the company of their session. */
export class Acknowledgements {
  readonly #store: Parts['store'];
  readonly #grants: Parts['grants'];

  constructor({ store, grants }: Parts) {
    this.#store = store;
    this.#grants = grants;
  }

  /** Those that have not ended, the newest first, without objects that the person may not view at this moment. */
  async list(person: Member): Promise<Acknowledgement[]> {
    const reached = new Map((await this.#grants.reach(person)).map((one) => [one.cluster.id, one]));
    const rows = await this.#store.db
      .select()
      .from(acknowledgements)
      .where(and(ownedBy(person), gt(acknowledgements.until, sql`now()`)))
      .orderBy(desc(acknowledgements.createdAt), acknowledgements.id);
    return rows.flatMap((row) => {
      const reach = reached.get(row.clusterId);
      return reach !== undefined && mayView(row, reach) ? [present(row)] : [];
    });
  }

  /** Acknowledges trouble of an object that the person may view, in place of an earlier time. Throws Problem 409 at the limit. */
  async add(
    person: Member,
    { clusterId, object, causes, until }: Omit<Acknowledgement, 'id'>,
  ): Promise<Acknowledgement> {
    const { db, channel } = this.#store;
    const row = await db.transaction(async (tx) => {
      // One after the other for each person, so that several at once are counted.
      await tx
        .select({ userId: memberships.userId })
        .from(memberships)
        .where(and(eq(memberships.userId, person.id), eq(memberships.companyId, person.companyId)))
        .for('update');
      await tx.delete(acknowledgements).where(and(ownedBy(person), lte(acknowledgements.until, sql`now()`)));
      const [stored] = await tx
        .insert(acknowledgements)
        .values({
          id: randomUUID(),
          companyId: person.companyId,
          userId: person.id,
          clusterId,
          kind: object.kind,
          namespace: object.namespace ?? '',
          name: object.name,
          causes,
          until,
        })
        .onConflictDoUpdate({
          target: [
            acknowledgements.userId,
            acknowledgements.companyId,
            acknowledgements.clusterId,
            acknowledgements.kind,
            acknowledgements.namespace,
            acknowledgements.name,
          ],
          set: { causes, until, createdAt: sql`now()` },
        })
        .returning();
      const [there] = await tx.select({ rows: count() }).from(acknowledgements).where(ownedBy(person));
      if ((there?.rows ?? 0) > acknowledgementLimit)
        throw new Problem({
          status: 409,
          title: `You have acknowledged ${acknowledgementLimit} problems, the maximum. End some acknowledgements first.`,
        });
      return stored;
    });
    if (row === undefined) throw new Error('Could not save what you acknowledged.');
    await channel.notify('notifications', { userIds: [person.id] });
    return present(row);
  }

  /** Ends one. Throws Problem 404 where the person has none of this id. */
  async remove(person: Member, id: string): Promise<void> {
    const { db, channel } = this.#store;
    const ended = await db
      .delete(acknowledgements)
      .where(and(ownedBy(person), eq(acknowledgements.id, id)))
      .returning({ id: acknowledgements.id });
    if (ended.length === 0)
      throw new Problem({ status: 404, title: 'You no longer acknowledge this problem.' });
    await channel.notify('notifications', { userIds: [person.id] });
  }
}

const ownedBy = ({ id, companyId }: Member) =>
  and(eq(acknowledgements.userId, id), eq(acknowledgements.companyId, companyId));

/** Whether somebody may view the object; whoever lost it is not told its name either. */
function mayView({ kind: id, namespace, name }: Row, { held }: Reach): boolean {
  const kind = kindById(id);
  if (kind !== undefined) return held.may(kind.permissions.view, viewPlace(kind, { namespace, name }));
  const place = namespace === '' ? ('cluster' as const) : { namespace };
  return held.may(viewNeedOf(id), place);
}

/** The permission to view a kind without a file. What is neither built in nor custom is for Owners. */
function viewNeedOf(id: string): AnyKind['permissions']['view'] {
  if (id.startsWith(customPrefix)) return customPermissions.view;
  const named = parseKindName(id);
  const builtIn = named && builtInOf({ group: named.group, plural: named.word });
  return builtIn?.permissions.view ?? 'owner';
}

const present = ({ id, clusterId, kind, namespace, name, causes, until }: Row): Acknowledgement => ({
  id,
  clusterId,
  object: { kind, ...(namespace === '' ? {} : { namespace }), name },
  causes: causes as Acknowledgement['causes'],
  until,
});
