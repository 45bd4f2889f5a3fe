import { sql } from 'drizzle-orm';
import type { Store, Transaction } from '../store/store.ts';

/** What the check of the recordings found. */
export interface RecordingsReport {
  /** Recordings that are as the audit tells. */
  readonly right: number;
  /** What is wrong, a sentence for each recording. */
  readonly problems: readonly string[];
}

/** Entries that are read at once. */
const batch = 100;

interface ToldRecording extends Record<string, unknown> {
  readonly row_id: string;
  readonly recording: string;
  readonly parts: number;
  readonly hash: string;
  readonly actor: string;
  readonly is_there: boolean;
  readonly is_same: boolean;
  readonly found_parts: number;
  readonly found_hash: string;
  readonly is_expired: boolean;
}

/**
 * Checks that each recording of a shell is what the audit told at its end: there, of that shell, with all its parts as
 * they were stored. One that retention deleted may be gone. A shell that is open, or whose server died, has no such
 * entry. Nothing is opened: no key is needed.
 */
export async function verifyRecordings(store: Pick<Store, 'db'>): Promise<RecordingsReport> {
  return await store.db.transaction(
    async (tx) => {
      const problems: string[] = [];
      let right = 0;
      let after = 0;
      for (;;) {
        const rows = await toldAfter(tx, after);
        for (const row of rows) {
          const problem = problemOf(row);
          if (problem === null) right += row.is_there ? 1 : 0;
          else problems.push(problem);
          after = Number(row.row_id);
        }
        if (rows.length < batch) return { right, problems };
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

async function toldAfter(tx: Transaction, after: number): Promise<ToldRecording[]> {
  const { rows } = await tx.execute<ToldRecording>(sql`
    with told as (
      select a.*, a.subject->>'recording' as recording from audit a
      where a.id > ${after} and a.action in ('pod.shell', 'pod.attach') and a.subject ? 'recordingHash'
      order by a.id limit ${batch})
    select told.id as row_id, told.recording, (told.subject->>'recordingParts')::int as parts,
      told.subject->>'recordingHash' as hash, told.actor, r.id is not null as is_there,
      (r.company_id, r.cluster_id, r.user_id, r.namespace, r.name) is not distinct from
        (told.company_id, told.cluster_id, told.user_id, told.subject->>'namespace', told.subject->>'name') as is_same,
      content.parts as found_parts, content.hash as found_hash,
      exists (select 1 from audit e where e.company_id = told.company_id and e.action = 'recording.expire'
        and (e.subject->>'newest')::timestamptz >= told.started_at) as is_expired
    from told left join shell_recordings r on r.id::text = told.recording
    cross join lateral (
      select count(*)::int as parts,
        encode(sha256(coalesce(string_agg(sha256(p.data), ''::bytea order by p.position), ''::bytea)), 'hex') as hash
      from shell_recording_parts p where p.recording_id = r.id) content
    order by told.id`);
  return rows;
}

function problemOf(row: ToldRecording): string | null {
  const which = `The recording ${row.recording} of a shell of ${row.actor}, recorded in row ${row.row_id},`;
  if (!row.is_there) return row.is_expired ? null : `${which} is missing.`;
  if (!row.is_same) return `${which} is said to be of another shell.`;
  if (row.found_parts !== row.parts)
    return `${which} has ${row.found_parts} parts; ${row.parts} were recorded.`;
  return row.found_hash === row.hash ? null : `${which} is not what was recorded.`;
}
