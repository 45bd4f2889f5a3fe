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
import { Recorder, type RecordingStore, type UsedQuota } from './recorder.ts';

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

/** Maximum size of one person's recordings of a day, bytes of text: nobody takes everybody's share. */
export const recordedPerPerson = recordedPerDay / 4;

/** Bytes of one recording after which it is asked again whether there is room. */
const askedEach = 1024 ** 2;

/** Whose share of a day's recordings is used up, if any. */
async function usedQuota(
  { db }: Pick<Store, 'db'>,
  { companyId, id }: Pick<Member, 'companyId' | 'id'>,
): Promise<UsedQuota | undefined> {
  const [row] = await db
    .select({
      company: sql<string>`coalesce(sum(${shellRecordings.size}), 0)`,
      person: sql<string>`coalesce(sum(${shellRecordings.size}) filter (where ${shellRecordings.userId} = ${id}), 0)`,
    })
    .from(shellRecordings)
    .where(
      and(
        eq(shellRecordings.companyId, companyId),
        gt(shellRecordings.startedAt, sql`now() - interval '1 day'`),
      ),
    );
  if (Number(row?.company ?? 0) >= recordedPerDay) return 'company-quota';
  return Number(row?.person ?? 0) >= recordedPerPerson ? 'person-quota' : undefined;
}

/** The sentences for somebody whose shell is not recorded any more, by whose share is used up. */
export const quotaSentences: Readonly<Record<UsedQuota, string>> = {
  'company-quota': `Shells of your organisation showed more than ${recordedPerDay / 1024 ** 3} GiB within a day, the maximum that is recorded. Try again when some of that is older than a day.`,
  'person-quota': `Your shells showed more than ${recordedPerPerson / 1024 ** 2} MiB within a day, the maximum that is recorded for one person. Try again when some of that is older than a day.`,
};

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

/** A part came too late: the recording was ended for the server that records, or is gone. */
export class RecordingTaken extends Error {
  constructor() {
    super('The recording was deleted, or another part replaced it.');
  }
}

/**
 * Begins the recording of a shell that is about to open. Throws when it cannot be stored: no recording, no shell; and
 * Problem 429 where the company, or the person, recorded as much as they may.
 */
export async function beginRecording(
  { store, vault, clock = systemClock }: RecordingsParts,
  shell: RecordedShell,
): Promise<BegunRecording> {
  const { id, person, cluster, namespace, name, query } = shell;
  const { db } = store;
  const used = await usedQuota(store, person);
  if (used !== undefined) throw new Problem({ status: 429, title: quotaSentences[used] });
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
  let unasked = 0;
  const kept: RecordingStore = {
    async append({ position, text, duration }) {
      const data = seal.seal(text, position);
      const size = Buffer.byteLength(text);
      // Only as the next one: a part is neither written twice nor left out.
      const { rowCount } = await db.execute(sql`
        with kept as (
          update shell_recordings set parts = ${position}, duration = ${duration},
            size = size + ${size}
          where id = ${id} and parts = ${position - 1} returning id)
        insert into shell_recording_parts (recording_id, position, data)
        select id, ${position}::int, ${data}::bytea from kept`);
      if (rowCount !== 1) throw new RecordingTaken();
      hashes.update(createHash('sha256').update(data).digest());
      parts = position;
      unasked += size;
      if (unasked < askedEach) return undefined;
      unasked = 0;
      return await usedQuota(store, person);
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
