import { sql } from 'drizzle-orm';
import type { ShellQuery } from '../../contract/shell.ts';
import { actorOf, type Member } from '../access/person.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { shellRecordings } from '../store/schema/recordings.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { createPartSeal } from './parts.ts';
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

/** Begins the recording of a shell that is about to open. Throws when it cannot be stored: no recording, no shell. */
export async function beginRecording(
  { store: { db }, vault, clock = systemClock }: RecordingsParts,
  shell: RecordedShell,
): Promise<Recorder> {
  const { id, person, cluster, namespace, name, query } = shell;
  const { seal, key } = createPartSeal(vault, id);
  await db.insert(shellRecordings).values({
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
    key,
    // Milliseconds, so that a moment is the same wherever it is read.
    startedAt: sql`date_trunc('milliseconds', now())`,
  });
  const store: RecordingStore = {
    async append({ position, text, duration }) {
      // Only as the next one: a part is neither written twice nor left out.
      const { rowCount } = await db.execute(sql`
        with kept as (
          update shell_recordings set parts = ${position}, duration = ${duration},
            size = size + ${Buffer.byteLength(text)}
          where id = ${id} and parts = ${position - 1} returning id)
        insert into shell_recording_parts (recording_id, position, data)
        select id, ${position}::int, ${seal.seal(text, position)}::bytea from kept`);
      if (rowCount !== 1) throw new Error('The recording is gone, or another part took the place.');
    },
    async end(ending) {
      const { rows } = await db.execute<{ ending: string }>(sql`
        update shell_recordings set ended_at = coalesce(ended_at, now()), ending = coalesce(ending, ${ending})
        where id = ${id} returning ending`);
      return rows[0]?.ending ?? ending;
    },
  };
  const recorder = new Recorder({ store, clock, size: query, title: titleOf(shell) });
  await recorder.start();
  return recorder;
}
