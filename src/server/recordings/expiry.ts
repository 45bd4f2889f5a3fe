import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { auditRows } from '../store/schema/audit.ts';
import { shellRecordings } from '../store/schema/recordings.ts';
import type { Store } from '../store/store.ts';

/** What is deleted with one statement, so that each takes little of the time that statements have. */
const batches = { recordings: 100, parts: 500 };

type Db = Pick<Store, 'db'>;

/**
 * Deletes the recordings of a company that began more than so many days ago, as its audit is kept no longer. Rows of
 * the audit say so, one for each batch; what a run that was stopped has left goes with the next.
 * @param now the time in ms
 * @param isStopped asked between batches: whether to leave the rest to the next run
 */
export async function dropOldRecordings(
  store: Db,
  companyId: number,
  days: number,
  now: number,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const oldest = new Date(now - days * 86_400_000).toISOString();
  for (;;) {
    const old = await store.db
      .select({ id: shellRecordings.id })
      .from(shellRecordings)
      .where(and(eq(shellRecordings.companyId, companyId), lt(shellRecordings.startedAt, oldest)))
      .limit(batches.recordings);
    if (old.length === 0) return;
    for (const { id } of old) if (!(await dropParts(store, id, isStopped))) return;
    const ids = old.map(({ id }) => id);
    await dropEmptied(store, companyId, days, ids);
  }
}

/** Deletes what a recording showed. Returns false where it was stopped before all was gone. */
async function dropParts({ db }: Db, id: string, isStopped: () => boolean): Promise<boolean> {
  while (!isStopped()) {
    // The last ones first: what is left until the next run is a recording whose end is missing.
    const { rowCount } = await db.execute(sql`
      delete from shell_recording_parts where recording_id = ${id} and position in (
        select position from shell_recording_parts where recording_id = ${id}
        order by position desc limit ${batches.parts})`);
    if ((rowCount ?? 0) < batches.parts) return true;
  }
  return false;
}

/** Deletes recordings whose parts are gone, with a row of the audit. */
async function dropEmptied(
  { db }: Db,
  companyId: number,
  days: number,
  ids: readonly string[],
): Promise<void> {
  await db.transaction(async (tx) => {
    const gone = await tx
      .delete(shellRecordings)
      .where(and(eq(shellRecordings.companyId, companyId), inArray(shellRecordings.id, [...ids])))
      .returning({ startedAt: shellRecordings.startedAt });
    if (gone.length === 0) return;
    const newest =
      gone
        .map(({ startedAt }) => startedAt)
        .sort()
        .at(-1) ?? null;
    await tx.insert(auditRows).values({
      companyId,
      actor: 'retention',
      action: 'recording.expire',
      subject: { days, recordings: gone.length, newest },
      address: 'console',
      requestId: 'retention',
      finishedAt: sql`date_trunc('milliseconds', now())`,
      status: 200,
    });
  });
}
