import { createHash } from 'node:crypto';
import { and, eq, gt, sql } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import type { ShellQuery } from '../../contract/shell.ts';
import { actorOf, type Member } from '../access/person.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { shellRecordings } from '../store/schema/recordings.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { createPartSeal, type RecordingFacts } from './parts.ts';
import { Recorder, type RecordingStore } from './recorder.ts';

/** The shell that is recorded. */
export interface RecordedShell {
  /** A random UUID. */
  readonly id: string;
  readonly person: Member;
  readonly cluster: Pick<ClusterRow, 'id' | 'name'>;
  readonly namespace: string;
  /** Of the pod. */
  readonly name: string;
  readonly query: Pick<ShellQuery, 'container' | 'mode' | 'columns' | 'rows'>;
}

export interface RecordingsParts {
  readonly store: Pick<Store, 'db'>;
  readonly vault: Vault;
  readonly clock?: Clock;
}

/** Names only: a recording may be handed on. */
const titleOf = ({ cluster, namespace, name, query }: RecordedShell): string =>
  [
    query.mode === 'attach' ? 'Attached to' : 'Shell in',
    `${namespace}/${name}`,
    ...(query.container === undefined ? [] : [`(${query.container})`]),
    `on ${cluster.name}`,
  ].join(' ');

/** What a company may record within 24 hours, bytes of text: some hundred recordings that are as large as one may be. */
export const recordedPerDay = 2 * 1024 ** 3;

/** Throws Problem 429 where a company recorded as much as it may. */
async function requireRoom({ db }: Pick<Store, 'db'>, companyId: number): Promise<void> {
  const [row] = await db
    .select({ size: sql<string>`coalesce(sum(${shellRecordings.size}), 0)` })
    .from(shellRecordings)
    .where(
      and(
        eq(shellRecordings.companyId, companyId),
        gt(shellRecordings.startedAt, sql`now() - interval '1 day'`),
      ),
    );
  if (Number(row?.size ?? 0) < recordedPerDay) return;
  throw new Problem({
    status: 429,
    title: `Shells of your organisation showed more than ${recordedPerDay / 1024 ** 3} GiB within a day, which is as much as is recorded. Another opens once some of them are older than a day.`,
  });
}

/** How many parts a recording has, and the SHA-256 (hex) of the SHA-256 of each as it is stored, in order. */
export interface RecordedContent {
  readonly parts: number;
  readonly hash: string;
}

/** A recording that has begun. */
export interface BegunRecording {
  readonly recorder: Recorder;
  /** What is stored by now; undefined where it is not known whether the last part was stored. */
  content(): RecordedContent | undefined;
}

/**
 * Begins the recording of a shell that is about to open. Throws when it cannot be stored: no recording, no shell; and
 * Problem 429 where the company recorded as much as it may.
 */
export async function beginRecording(
  { store, vault, clock = systemClock }: RecordingsParts,
  shell: RecordedShell,
): Promise<BegunRecording> {
  const { id, person, cluster, namespace, name, query } = shell;
  const { db } = store;
  await requireRoom(store, person.companyId);
  const facts: RecordingFacts = {
    id,
    companyId: person.companyId,
    clusterId: cluster.id,
    cluster: cluster.name,
    userId: person.id,
    actor: actorOf(person),
    mode: query.mode,
    namespace,
    name,
    container: query.container ?? null,
  };
  const { seal, key } = createPartSeal(vault, facts);
  await db.insert(shellRecordings).values({
    ...facts,
    key,
    // Milliseconds, so that a moment is the same wherever it is read.
    startedAt: sql`date_trunc('milliseconds', now())`,
  });
  const hashes = createHash('sha256');
  let parts = 0;
  const kept: RecordingStore = {
    async append({ position, text, duration }) {
      const data = seal.seal(text, position);
      // Only as the next one: a part is neither written twice nor left out.
      const { rowCount } = await db.execute(sql`
        with kept as (
          update shell_recordings set parts = ${position}, duration = ${duration},
            size = size + ${Buffer.byteLength(text)}
          where id = ${id} and parts = ${position - 1} returning id)
        insert into shell_recording_parts (recording_id, position, data)
        select id, ${position}::int, ${data}::bytea from kept`);
      if (rowCount !== 1) throw new Error('The recording is gone, or another part took the place.');
      hashes.update(createHash('sha256').update(data).digest());
      parts = position;
    },
    async end(ending) {
      const { rows } = await db.execute<{ ending: string }>(sql`
        update shell_recordings set ended_at = coalesce(ended_at, now()), ending = coalesce(ending, ${ending})
        where id = ${id} returning ending`);
      return rows[0]?.ending ?? ending;
    },
  };
  const recorder = new Recorder({ store: kept, clock, size: query, title: titleOf(shell) });
  await recorder.start();
  return {
    recorder,
    content: () => (recorder.isWhole ? { parts, hash: hashes.copy().digest('hex') } : undefined),
  };
}
