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
      // In order: what a row of the audit says of the newest that went is true of all.
      .orderBy(shellRecordings.startedAt, shellRecordings.id)
      .limit(batches.recordings);
    if (old.length === 0) return;
    for (const { id } of old) if (!(await dropParts(store, id, isStopped))) return;
    const ids = old.map(({ id }) => id);
    await dropEmptied(store, companyId, days, ids);
  }
}

/**
 * Deletes what recordings showed whose rows are gone, as those of a deleted company are. It cannot be read since then: its
 * keys went with the rows.
 * @param isStopped asked between batches: whether to leave the rest to the next run
 */
export async function dropOrphanedParts(store: Db, isStopped: () => boolean = () => false): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    // From one recording to the next by the index, however many parts each has.
    const { rows } = await store.db.execute<{ id: string; is_orphaned: boolean }>(sql`
      with recursive found as (
        (select recording_id as id, 1 as n from shell_recording_parts where recording_id > ${after}
          order by recording_id limit 1)
        union all
        select (select p.recording_id from shell_recording_parts p where p.recording_id > found.id
          order by p.recording_id limit 1), n + 1
        from found where found.id is not null and n < ${batches.recordings})
      select id, not exists (select 1 from shell_recordings r where r.id = found.id) as is_orphaned
      from found where id is not null order by id`);
    for (const { id, is_orphaned } of rows)
      if (is_orphaned && !(await dropParts(store, id, isStopped))) return;
    const last = rows.at(-1);
    if (last === undefined || isStopped()) return;
    after = last.id;
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
