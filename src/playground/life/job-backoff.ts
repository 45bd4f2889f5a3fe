import type { Obj } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { endedAt } from './job-pods.ts';

/** A pod that failed is made again after this time, twice as long each time, ms. */
const firstPause = 10_000;
const longestPause = 600_000;

/** How many pods of a job failed since the last success, and when the last of them did, ms. */
interface Record {
  readonly uid: string;
  readonly failures: number;
  readonly last: number;
}

const memories = new WeakMap<Life, Map<string, Record>>();
function memoryOf(life: Life): Map<string, Record> {
  const known = memories.get(life) ?? new Map<string, Record>();
  memories.set(life, known);
  return known;
}

/** The remaining delay, ms, after a number of failures, the last of which was at a time. */
export function pauseAfter(failures: number, last: number, now: number): number {
  if (failures === 0) return 0;
  return Math.max(0, last + Math.min(longestPause, firstPause * 2 ** (failures - 1)) - now);
}

/** Notes pods of a job that have ended since the last look. Returns the ms to wait before it may make another. */
export function noteEnds(
  life: Life,
  key: string,
  job: Obj,
  succeeded: readonly Obj[],
  failed: readonly Obj[],
): number {
  const memory = memoryOf(life);
  const { uid = '' } = job.metadata;
  const known = memory.get(key);
  let record: Record = known?.uid === uid ? known : { uid, failures: 0, last: 0 };
  if (succeeded.length > 0) record = { uid, failures: 0, last: 0 };
  const since = Math.max(0, ...succeeded.map(endedAt));
  const times = failed.map(endedAt).filter((time) => time > since);
  if (times.length > 0) record = { uid, failures: record.failures + times.length, last: Math.max(...times) };
  memory.set(key, record);
  return pauseAfter(record.failures, record.last, life.world.clock.now());
}

/** Forgets a job that is gone. */
export function forgetEnds(life: Life, key: string): void {
  memoryOf(life).delete(key);
}
