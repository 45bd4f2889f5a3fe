import { Cron } from 'croner';

/** A schedule of a cron job. */
export interface Schedule {
  /** The first due time after a time, ms; undefined when there is none. */
  next(after: number): number | undefined;
}

/** Go's units of durations, ms. */
const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};
const second = 1_000;

/**
 * The schedule "@every 1h30m": the interval counts in whole seconds from the given time. Undefined for other
 * schedules.
 */
function everySchedule(text: string): Schedule | undefined {
  const [, duration] = /^@every\s+((?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+)$/.exec(text) ?? [];
  if (duration === undefined) return undefined;
  const parts = [...duration.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  const total = parts.reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (units[unit] ?? 0), 0);
  const delay = Math.max(second, total - (total % second));
  return { next: (after) => after - (after % second) + delay };
}

/**
 * Parses a schedule as the cron job controller does: five fields, a name ("@hourly") or "@every 1h", in a time
 * zone (UTC by default). A time that daylight saving skips does not occur; one that it repeats occurs once.
 * Undefined when the schedule or the zone is invalid.
 */
export function parseSchedule(text: string, zone = ''): Schedule | undefined {
  const every = everySchedule(text.trim());
  if (every !== undefined) return every;
  // "?" means "*".
  const pattern = text.trim().replaceAll('?', '*');
  const isUtc = ['', 'UTC', 'Etc/UTC'].includes(zone);
  if (!isUtc && !isZone(zone)) return undefined;
  try {
    const cron = new Cron(pattern, {
      paused: true,
      mode: pattern.startsWith('@') ? 'auto' : '5-part',
      // The library is much faster with an offset than with a zone.
      ...(isUtc ? { utcOffset: 0 } : { timezone: zone }),
    });
    return { next: (after) => nextOf(cron, after) };
  } catch {
    return undefined;
  }
}

function isZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The first due time whose wall clock matches the schedule: the library shifts skipped times. */
function nextOf(cron: Cron, after: number): number | undefined {
  let time = cron.nextRun(new Date(after));
  while (time !== null && !cron.match(time)) time = cron.nextRun(time);
  return time?.getTime();
}

/** The due times of a schedule in a period, and the one after it. */
export interface Due {
  /** The last due time in the period, ms. */
  readonly last: number | undefined;
  /** The first due time after the period, ms. */
  readonly next: number | undefined;
  /** Number of due times in the period, estimated as the controller does: from the distance of the first two. */
  readonly count: number;
}

/** The due times after one time and up to another, ms. */
export function dueBetween(schedule: Schedule, after: number, until: number): Due {
  const first = schedule.next(after);
  if (first === undefined || first > until) return { last: undefined, next: first, count: 0 };
  const later = schedule.next(first);
  if (later === undefined || later > until) return { last: first, next: later, count: 1 };
  const distance = Math.max(second, later - first);
  // Searches backwards in growing spans: months may lie between the times.
  let last = first;
  for (let span = 2 * distance; last === first && until - span > first; span *= 2) {
    const found = schedule.next(until - span);
    if (found !== undefined && found <= until) last = found;
  }
  let next = schedule.next(last);
  while (next !== undefined && next <= until) [last, next] = [next, schedule.next(next)];
  return { last, next, count: Math.floor((until - first) / distance) + 1 };
}
