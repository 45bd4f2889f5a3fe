import { parseSchedule } from '../life/schedule.ts';
import type { World } from '../store/world.ts';
import { at, type Obj, str } from '../kit/values.ts';

/** Number of past runs of each cron job: as many as the default history limit keeps. */
const runsPerCronJob = 3;
/** Spans to search backwards for runs, ms, until one holds enough. The longest gap is a weekend. */
const spans = [3600_000, 12 * 3600_000, 7 * 24 * 3600_000];

/** The last due times of a cron job before a time, ms, in ascending order; none for a suspended one. */
function lastDue(cron: Obj, now: number): number[] {
  const schedule = parseSchedule(str(at(cron, 'spec', 'schedule')), str(at(cron, 'spec', 'timeZone')));
  if (schedule === undefined || at(cron, 'spec', 'suspend') === true) return [];
  for (const span of spans) {
    const found: number[] = [];
    for (let time = schedule.next(now - span); time !== undefined && time < now; time = schedule.next(time))
      found.push(time);
    if (found.length >= runsPerCronJob || span === spans.at(-1)) return found.slice(-runsPerCronJob);
  }
  return [];
}

/** The due times of all kept jobs of cron jobs, ms, ascending and without duplicates. */
export function dueOfJobs(world: World, now: number): number[] {
  const times = world.store.list('batch/cronjobs').flatMap((cron) => lastDue(cron, now));
  return Array.from(new Set(times)).sort((a, b) => a - b);
}
