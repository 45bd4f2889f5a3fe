import { eq, sql } from 'drizzle-orm';
import { castEventLine } from '../../contract/asciicast.ts';
import { shellRecordingParts, shellRecordings } from '../store/schema/recordings.ts';
import type { Transaction } from '../store/store.ts';
import { SealError, type Vault } from '../store/vault.ts';
import { openPartSeal } from './parts.ts';
import type { RecordedContent } from './recordings.ts';

type RecordingRow = typeof shellRecordings.$inferSelect;

/**
 * Ends the recording of a shell whose server died, with the marker of its end as the last part: so no part of that
 * server comes behind it. Returns what is stored; undefined where the recording is gone, or never began. Throws errors of
 * the database.
 * @param ending how the shell ended, a sentence
 */
export async function endLeftRecording(
  tx: Transaction,
  vault: Vault,
  id: string,
  ending: string,
): Promise<RecordedContent | undefined> {
  const [row] = await tx.select().from(shellRecordings).where(eq(shellRecordings.id, id)).for('update');
  if (row === undefined) return undefined;
  const marker = castEventLine([row.duration / 1_000, 'm', row.ending ?? ending]);
  // Without its beginning it is no recording that a marker could end.
  const data = row.parts === 0 ? undefined : sealed(vault, row, marker);
  if (data !== undefined)
    await tx.insert(shellRecordingParts).values({ recordingId: id, position: row.parts + 1, data });
  await tx
    .update(shellRecordings)
    .set({
      endedAt: row.endedAt ?? sql`now()`,
      ending: row.ending ?? ending,
      ...(data === undefined ? {} : { parts: row.parts + 1, size: row.size + Buffer.byteLength(marker) }),
    })
    .where(eq(shellRecordings.id, id));
  const { rows } = await tx.execute<{ parts: number; hash: string }>(sql`
    select count(*)::int as parts,
      encode(sha256(coalesce(string_agg(sha256(data), ''::bytea order by position), ''::bytea)), 'hex') as hash
    from shell_recording_parts where recording_id = ${id}`);
  return rows[0];
}

/** The marker as it is stored; undefined where the key of the recording is gone. */
function sealed(vault: Vault, row: RecordingRow, marker: string): Buffer | undefined {
  try {
    return openPartSeal(vault, row, row.key).seal(marker, row.parts + 1);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
