import { and, asc, desc, eq, gt, gte, ilike, lt, sql } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import { type Recording, type RecordingFilter, recordingsPageSize } from '../../contract/recordings.ts';
import { cleanText } from '../../kube/text.ts';
import { within } from '../audit/log.ts';
import { clusters } from '../store/schema/clusters.ts';
import { shellRecordingParts, shellRecordings } from '../store/schema/recordings.ts';
import type { Store } from '../store/store.ts';
import { SealError, type Vault } from '../store/vault.ts';
import { openPartSeal, type RecordingFacts } from './parts.ts';

type Db = Pick<Store, 'db'>;

const columns = {
  id: shellRecordings.id,
  clusterId: shellRecordings.clusterId,
  cluster: sql<string>`coalesce(${clusters.name}, ${shellRecordings.cluster})`,
  actor: shellRecordings.actor,
  mode: shellRecordings.mode,
  namespace: shellRecordings.namespace,
  name: shellRecordings.name,
  container: shellRecordings.container,
  startedAt: shellRecordings.startedAt,
  endedAt: shellRecordings.endedAt,
  ending: shellRecordings.ending,
  duration: shellRecordings.duration,
  size: shellRecordings.size,
};

const factColumns = {
  id: shellRecordings.id,
  companyId: shellRecordings.companyId,
  clusterId: shellRecordings.clusterId,
  cluster: shellRecordings.cluster,
  userId: shellRecordings.userId,
  actor: shellRecordings.actor,
  mode: shellRecordings.mode,
  namespace: shellRecordings.namespace,
  name: shellRecordings.name,
  container: shellRecordings.container,
};

/** The cluster of a recording, where it is still there. */
const ofSameCluster = and(
  eq(clusters.id, shellRecordings.clusterId),
  eq(clusters.companyId, shellRecordings.companyId),
);

/** Without characters that make one name look like another, whatever was stored. */
function shownOf(row: object): Recording {
  const recording = row as Recording;
  return {
    ...recording,
    actor: cleanText(recording.actor),
    cluster: cleanText(recording.cluster),
    namespace: cleanText(recording.namespace),
    name: cleanText(recording.name),
    container: recording.container === null ? null : cleanText(recording.container),
    ending: recording.ending === null ? null : cleanText(recording.ending),
  };
}

/**
 * Recordings of a company, the newest first.
 * @param after `next` of the page before
 */
export async function readRecordings(
  { db }: Db,
  companyId: number,
  { filter, after }: { readonly filter: RecordingFilter; readonly after: string | undefined },
): Promise<{ recordings: Recording[]; next: string | null }> {
  const { person, clusterId, from, until } = filter;
  const [at = '', id = ''] = after?.split('.') ?? [];
  const place =
    after === undefined
      ? undefined
      : sql`(${shellRecordings.startedAt}, ${shellRecordings.id}) < (${new Date(Number(at)).toISOString()}::timestamptz, ${id}::uuid)`;
  const rows = await db
    .select(columns)
    .from(shellRecordings)
    .leftJoin(clusters, ofSameCluster)
    .where(
      and(
        eq(shellRecordings.companyId, companyId),
        person ? ilike(shellRecordings.actor, within(person)) : undefined,
        clusterId === undefined ? undefined : eq(shellRecordings.clusterId, clusterId),
        from === undefined ? undefined : gte(shellRecordings.startedAt, new Date(from).toISOString()),
        until === undefined ? undefined : lt(shellRecordings.startedAt, new Date(until).toISOString()),
        place,
      ),
    )
    .orderBy(desc(shellRecordings.startedAt), desc(shellRecordings.id))
    .limit(recordingsPageSize + 1);
  const recordings = rows.slice(0, recordingsPageSize).map(shownOf);
  const last = recordings.at(-1);
  const hasMore = rows.length > recordingsPageSize && last !== undefined;
  return { recordings, next: hasMore ? `${Date.parse(last.startedAt)}.${last.id}` : null };
}

/** A recording with what its text is read by. */
export interface StoredRecording {
  readonly about: Recording;
  /** As its row has them, for which its parts are sealed. */
  readonly facts: RecordingFacts;
  readonly key: Buffer;
  readonly parts: number;
}

/** A recording of a company. Throws Problem 404. */
export async function findRecording({ db }: Db, companyId: number, id: string): Promise<StoredRecording> {
  const [row] = await db
    .select({ about: columns, facts: factColumns, key: shellRecordings.key, parts: shellRecordings.parts })
    .from(shellRecordings)
    .leftJoin(clusters, ofSameCluster)
    .where(and(eq(shellRecordings.id, id), eq(shellRecordings.companyId, companyId)));
  if (row === undefined) {
    throw new Problem({
      status: 404,
      title: 'There is no such recording. It may be older than the audit is kept.',
    });
  }
  return { ...row, about: shownOf(row.about) };
}

/** Parts that are read at once: what a reading holds in memory. */
const batch = 16;

const damaged = (title: string, cause?: unknown) => new Problem({ status: 500, title }, { cause });

/**
 * The text of a recording, part by part, as far as it goes when it begins to be read. Throws Problem where a part is
 * missing, was changed or stands elsewhere than it was written.
 */
export async function* readParts(
  { store: { db }, vault }: { readonly store: Db; readonly vault: Vault },
  { facts, key, parts }: StoredRecording,
): AsyncGenerator<string> {
  const { id } = facts;
  let position = 0;
  try {
    const seal = openPartSeal(vault, facts, key);
    while (position < parts) {
      const rows = await db
        .select({ position: shellRecordingParts.position, data: shellRecordingParts.data })
        .from(shellRecordingParts)
        .where(and(eq(shellRecordingParts.recordingId, id), gt(shellRecordingParts.position, position)))
        .orderBy(asc(shellRecordingParts.position))
        .limit(Math.min(batch, parts - position));
      for (const row of rows) {
        if (row.position !== position + 1) break;
        yield seal.open(row.data, row.position);
        position = row.position;
      }
      if (rows.at(-1)?.position !== position) {
        throw damaged(
          `Part ${position + 1} of ${parts} of this recording is missing. The rest cannot be replayed.`,
        );
      }
    }
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const why =
      error.reason === 'key' || key.length === 0
        ? 'is sealed with a key that this console no longer has'
        : 'was changed after it was recorded, or belongs elsewhere';
    throw damaged(
      `Part ${position + 1} of ${parts} of this recording ${why}. That part and the rest cannot be replayed.`,
      error,
    );
  }
}
