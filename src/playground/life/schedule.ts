import { Cron } from 'croner';

/** A schedule of a cron job. */
export interface Schedule {
  /** When it is due next after a time, ms; undefined when never again. */
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

/** "@every 1h30m", in whole seconds from whenever it is asked; undefined for another schedule. */
function everySchedule(text: string): Schedule | undefined {
  const [, duration] = /^@every\s+((?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+)$/.exec(text) ?? [];
  if (duration === undefined) return undefined;
  const parts = [...duration.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  const total = parts.reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (units[unit] ?? 0), 0);
  const delay = Math.max(second, total - (total % second));
  return { next: (after) => after - (after % second) + delay };
}

/**
 * Reads a schedule as the controller of cron jobs does: five fields, a name ("@hourly") or "@every 1h", in a time zone
 * (UTC without one). A time that the clocks skip in spring is not made up for; one that comes twice in autumn counts
 * once. Undefined when schedule or zone cannot be read.
 */
export function parseSchedule(text: string, zone = ''): Schedule | undefined {
  const every = everySchedule(text.trim());
  if (every !== undefined) return every;
  // "?" is another "*" here.
  const pattern = text.trim().replaceAll('?', '*');
  const isUtc = ['', 'UTC', 'Etc/UTC'].includes(zone);
  if (!isUtc && !isZone(zone)) return undefined;
  try {
    const cron = new Cron(pattern, {
      paused: true,
      mode: pattern.startsWith('@') ? 'auto' : '5-part',
      // The library reckons much faster with an offset than with a zone.
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

/** The next time after one at which the clock on the wall shows what is asked for: the library moves what is skipped. */
function nextOf(cron: Cron, after: number): number | undefined {
  let time = cron.nextRun(new Date(after));
  while (time !== null && !cron.match(time)) time = cron.nextRun(time);
  return time?.getTime();
}

/** What has been due of a schedule in a span of time, and what comes then. */
export interface Due {
  /** The last time that was due, ms. */
  readonly last: number | undefined;
  /** The first time after the span, ms. */
  readonly next: number | undefined;
  /** How many times were due, as the controller reckons: by the distance of the first two. */
  readonly count: number;
}

/** What has been due after one time and up to another, ms. */
export function dueBetween(schedule: Schedule, after: number, until: number): Due {
  const first = schedule.next(after);
  if (first === undefined || first > until) return { last: undefined, next: first, count: 0 };
  const later = schedule.next(first);
  if (later === undefined || later > until) return { last: first, next: later, count: 1 };
  const distance = Math.max(second, later - first);
  // Looks back over a span that grows until something was due in it: a schedule may have been left alone for months.
  let last = first;
  for (let span = 2 * distance; last === first && until - span > first; span *= 2) {
    const found = schedule.next(until - span);
    if (found !== undefined && found <= until) last = found;
  }
  let next = schedule.next(last);
  while (next !== undefined && next <= until) [last, next] = [next, schedule.next(next)];
  return { last, next, count: Math.floor((until - first) / distance) + 1 };
}
