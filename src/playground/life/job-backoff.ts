import type { Obj } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { endedAt } from './job-pods.ts';

/** Delay before the replacement of the first failed pod, doubled for each further failure, ms. */
const firstPause = 10_000;
const maxPause = 600_000;

/** A job's failures since the last success, and the time of the last one, ms. */
interface Record {
  readonly uid: string;
  readonly failures: number;
  readonly last: number;
}

const memoryOf = (life: Life) => life.memory.of('failures of jobs', () => new Map<string, Record>());

/** The remaining delay before a replacement, ms. `last`: time of the last failure. */
export function pauseAfter(failures: number, last: number, now: number): number {
  if (failures === 0) return 0;
  return Math.max(0, last + Math.min(maxPause, firstPause * 2 ** (failures - 1)) - now);
}

/** Records pods of a job that ended since the last sync. Returns the ms before it may create another. */
export function noteEnds(
  life: Life,
  key: string,
  job: Obj,
  succeeded: readonly Obj[],
  failed: readonly Obj[],
): number {
  const memory = memoryOf(life);
  const { uid = '' } = job.metadata;
  const previous = memory.get(key);
  let record: Record = previous?.uid === uid ? previous : { uid, failures: 0, last: 0 };
  if (succeeded.length > 0) record = { uid, failures: 0, last: 0 };
  const since = Math.max(0, ...succeeded.map(endedAt));
  const times = failed.map(endedAt).filter((time) => time > since);
  if (times.length > 0) record = { uid, failures: record.failures + times.length, last: Math.max(...times) };
  memory.set(key, record);
  return pauseAfter(record.failures, record.last, life.world.clock.now());
}

/** Removes the record of a deleted job. */
export function forgetEnds(life: Life, key: string): void {
  memoryOf(life).delete(key);
}
