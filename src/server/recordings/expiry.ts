import { and, eq, lt, sql } from 'drizzle-orm';
import { auditRows } from '../store/schema/audit.ts';
import { shellRecordings } from '../store/schema/recordings.ts';
import type { Store } from '../store/store.ts';

/**
 * Deletes the recordings of a company that began more than so many days ago, as its audit is kept no longer. A row of
 * the audit says so.
 * @param now the time in ms
 */
export async function dropOldRecordings(
  { db }: Pick<Store, 'db'>,
  companyId: number,
  days: number,
  now: number,
): Promise<void> {
  const oldest = new Date(now - days * 86_400_000).toISOString();
  await db.transaction(async (tx) => {
    const gone = await tx
      .delete(shellRecordings)
      .where(and(eq(shellRecordings.companyId, companyId), lt(shellRecordings.startedAt, oldest)))
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
