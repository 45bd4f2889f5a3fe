import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Milestone } from '../../registry/kinds/milestone.ts';
import { milestones } from '../store/schema/webhooks.ts';
import type { Store, Transaction } from '../store/store.ts';
import { storableText } from '../webhooks/bodies.ts';

/** Rows that are written together. */
const batch = 500;

/** An object as milestones are stored of it. */
export interface MilestoneObject {
  readonly uid: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
}

/** What is stored of a milestone. */
export type StoredMilestone = Pick<ToldMilestone, 'mark' | 'event'>;

/** What one object came to last. */
export interface ToldMilestone extends MilestoneObject {
  readonly mark: string;
  readonly event: string;
}

/** What every object of one kind on a cluster came to last, in the store and at hand. */
export class ToldMilestones {
  readonly #db: Store['db'];
  readonly #clusterId: number;
  readonly #kind: string;
  #rows = new Map<string, ToldMilestone>();
  /** Epoch ms; undefined before it was read. */
  #since: number | undefined;

  constructor(db: Store['db'], clusterId: number, kind: string) {
    this.#db = db;
    this.#clusterId = clusterId;
    this.#kind = kind;
  }

  /**
   * Reads what is stored, once, and gives since when the kind is followed, epoch ms.
   * @param wantedSince since when somebody wants to hear of it: what was stored for others before begins anew
   */
  async read(wantedSince: number): Promise<number> {
    if (this.#since !== undefined) return this.#since;
    const all = await this.#db.select().from(milestones).where(this.#own());
    const first = all.find(({ uid }) => uid === '');
    const since = first === undefined ? undefined : Date.parse(first.at);
    if (since !== undefined && since >= wantedSince) {
      this.#rows = new Map(all.filter(({ uid }) => uid !== '').map((row) => [row.uid, row]));
      this.#since = since;
      return since;
    }
    const [begun] = await this.#db.transaction(async (tx) => {
      await tx.delete(milestones).where(this.#own());
      return await tx
        .insert(milestones)
        .values({ ...this.#key(), uid: '', event: '', mark: '', namespace: '', name: '' })
        .onConflictDoUpdate({ target: this.#target, set: { at: sql`now()` } })
        .returning({ at: milestones.at });
    });
    this.#rows.clear();
    this.#since = begun === undefined ? wantedSince : Date.parse(begun.at);
    return this.#since;
  }

  get(uid: string): ToldMilestone | undefined {
    return this.#rows.get(uid);
  }

  /** Those of which no object is there any more. */
  without(has: (uid: string) => boolean): readonly ToldMilestone[] {
    return [...this.#rows.values()].filter(({ uid }) => !has(uid));
  }

  /** Stores what is not told. */
  async note(
    found: readonly { readonly of: MilestoneObject; readonly milestone: StoredMilestone }[],
  ): Promise<void> {
    const rows = found.map(({ of, milestone }) => rowOf(of, milestone));
    for (let at = 0; at < rows.length; at += batch) {
      const some = rows.slice(at, at + batch);
      await this.#db
        .insert(milestones)
        .values(some.map((row) => ({ ...this.#key(), ...row })))
        .onConflictDoUpdate({
          target: this.#target,
          set: { mark: sql`excluded.mark`, event: sql`excluded.event`, at: sql`now()` },
        });
      for (const row of some) this.#rows.set(row.uid, row);
    }
  }

  /** Stores what is told, with the transaction that tells of it; false where another server did. */
  async tell(tx: Transaction, of: MilestoneObject, milestone: Milestone): Promise<boolean> {
    const before = this.#rows.get(of.uid);
    const row = rowOf(of, milestone);
    const stored =
      before === undefined
        ? await tx
            .insert(milestones)
            .values({ ...this.#key(), ...row })
            .onConflictDoNothing()
            .returning({ uid: milestones.uid })
        : await tx
            .update(milestones)
            .set({ mark: row.mark, event: row.event, at: sql`now()` })
            .where(and(this.#own(), eq(milestones.uid, row.uid), eq(milestones.mark, before.mark)))
            .returning({ uid: milestones.uid });
    return stored.length > 0;
  }

  /** Keeps at hand what was told, by whichever server. */
  told(of: MilestoneObject, milestone: Milestone): void {
    this.#rows.set(of.uid, rowOf(of, milestone));
  }

  /** Forgets objects that are gone; false where another server did. */
  async forget(db: Pick<Transaction, 'delete'>, uids: readonly string[]): Promise<boolean> {
    let forgotten = 0;
    for (let at = 0; at < uids.length; at += batch) {
      const some = uids.slice(at, at + batch);
      const gone = await db
        .delete(milestones)
        .where(and(this.#own(), inArray(milestones.uid, some)))
        .returning({ uid: milestones.uid });
      forgotten += gone.length;
    }
    return forgotten > 0;
  }

  /** Keeps at hand that objects are gone. */
  forgotten(uids: readonly string[]): void {
    for (const uid of uids) this.#rows.delete(uid);
  }

  readonly #target = [milestones.clusterId, milestones.kind, milestones.uid];
  readonly #key = () => ({ clusterId: this.#clusterId, kind: this.#kind });
  readonly #own = () => and(eq(milestones.clusterId, this.#clusterId), eq(milestones.kind, this.#kind));
}

const rowOf = (of: MilestoneObject, { mark, event }: StoredMilestone): ToldMilestone => ({
  uid: storableText(of.uid),
  namespace: of.namespace,
  name: of.name,
  mark: storableText(mark),
  event,
});
