import type { AlertSettings } from '../../contract/alerts.ts';
import type { AlertDelivery } from '../webhooks/personal-news.ts';

const minute = 60_000;
const minutesOfDay = 1_440;
/** Time for which alerts are gathered before they are mailed together, ms. */
const gathered = minute;
/** Alerts of an hour that interrupt somebody; those beyond stay in the bell, and are mailed together once the hour is over. */
export const alertsPerHour = 20;

/** Minute of the day in a time zone. @param now epoch ms */
export function minuteOfDay(now: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const numberOf = (type: 'hour' | 'minute') =>
    Number(parts.find((part) => part.type === type)?.value ?? Number.NaN);
  return numberOf('hour') * 60 + numberOf('minute');
}

/** Time until a minute of the day comes next, ms; a whole day at that minute itself. */
function untilMinute(at: number, now: number, timeZone: string): number {
  const ahead = (at - minuteOfDay(now, timeZone) + minutesOfDay) % minutesOfDay;
  return (ahead === 0 ? minutesOfDay : ahead) * minute - (now % minute);
}

/** Whether quiet hours are on. Equal ends are no period. @param now epoch ms */
export function isQuietAt({ quiet, timeZone }: AlertSettings, now: number): boolean {
  if (quiet === null) return false;
  const { from, until } = quiet;
  const at = minuteOfDay(now, timeZone);
  return from <= until ? at >= from && at < until : at >= from || at < until;
}

/**
 * How an alert is delivered.
 * @param now epoch ms
 * @param hour alerts of the last hour: how many there were, and when the oldest of them came, epoch ms
 */
export function deliveryOf(
  settings: AlertSettings,
  now: number,
  hour: { readonly count: number; readonly since: number },
): AlertDelivery {
  const isOver = hour.count >= alertsPerHour;
  const isQuiet = isOver || isQuietAt(settings, now);
  const { mail, quiet, dailyAt, timeZone } = settings;
  if (mail === 'off') return { isQuiet, mailAt: null };
  if (mail === 'daily') return { isQuiet, mailAt: now + untilMinute(dailyAt, now, timeZone) };
  const gatheredAt = isOver ? hour.since + 60 * minute : now + gathered;
  if (quiet === null || !isQuietAt(settings, gatheredAt)) return { isQuiet, mailAt: gatheredAt };
  return { isQuiet, mailAt: gatheredAt + untilMinute(quiet.until, gatheredAt, timeZone) };
}
