import { Cron } from 'croner';
import { epochSeconds } from './age.ts';
import type { CronJob } from './batch.ts';

const minute = 60_000;
const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: minute,
  h: 60 * minute,
};

/** A parsed schedule; `next` gives the next due time after a time, ms, or undefined if there is none. */
interface Schedule {
  next(after: number): number | undefined;
}

/** Parses an interval such as "@every 1h30m". */
function pace(text: string): Schedule | undefined {
  const length = /^@every\s+((?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+)$/.exec(text)?.[1];
  if (length === undefined) return undefined;
  let total = 0;
  for (const [, amount = '0', unit = 's'] of length.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) {
    total += Number(amount) * (units[unit] ?? 0);
  }
  const every = Math.max(1_000, Math.floor(total / 1_000) * 1_000);
  return { next: (after) => Math.floor(after / 1_000) * 1_000 + every };
}

/** The wall clock's hour and minute in a time zone. */
function wallClock(zone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
  return (time) => format.format(time);
}

/**
 * Parses a cron schedule of five fields, a name ("@hourly") or an interval ("@every 1h") in a time zone (default UTC).
 * As in Kubernetes's own library, a time that the clocks skip in spring is dropped, and a repeated time in autumn is
 * due once. Undefined if text or zone is invalid.
 */
function parseSchedule(text: string, zone = ''): Schedule | undefined {
  const paced = pace(text.trim());
  if (paced !== undefined) return paced;
  try {
    const timezone = zone === '' ? 'UTC' : zone;
    const pattern = text.trim().replaceAll('?', '*');
    const utc = timezone === 'UTC' || timezone === 'Etc/UTC';
    const cron = new Cron(pattern, {
      // Computing with an offset is much cheaper than with a zone.
      ...(utc ? { utcOffset: 0 } : { timezone }),
      paused: true,
      mode: pattern.startsWith('@') ? 'auto' : '5-part',
    });
    if (utc) return { next: (after) => cron.nextRun(new Date(after))?.getTime() };
    const clock = wallClock(timezone);
    const [, hours = '*'] = pattern.split(/\s+/);
    const fixed = /^\d+$/.test(hours) ? hours.padStart(2, '0') : undefined;
    return {
      next: (after) => {
        // The library moves a skipped time by an hour, which shows in the wall clock.
        const skipped = (time: number) => fixed !== undefined && !clock(time).startsWith(fixed);
        for (let from = after; ; ) {
          const time = cron.nextRun(new Date(from))?.getTime();
          if (time === undefined || !skipped(time)) return time;
          from = time;
        }
      },
    };
  } catch {
    return undefined;
  }
}

/**
 * When a cron job is due after its last run, or after its creation, epoch seconds. In the past for a missed run. Null
 * if it is suspended or its schedule is invalid.
 */
export function nextRun({ spec = {}, status, metadata }: CronJob): number | null {
  const { schedule = '', timeZone, suspend } = spec;
  const from = epochSeconds(status?.lastScheduleTime) ?? epochSeconds(metadata?.creationTimestamp);
  if (suspend === true || from === null || schedule === '') return null;
  const next = parseSchedule(schedule, timeZone)?.next(from * 1000);
  return next === undefined ? null : Math.floor(next / 1000);
}

/** Whether a schedule is written as the API server takes it, whether or not it ever comes. */
export const isSchedule = (text: string): boolean => parseSchedule(text) !== undefined;
