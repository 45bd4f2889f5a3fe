const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

type Field = ReadonlySet<number>;

/** A cron schedule of five fields, read; undefined when it is none. */
export type Schedule = readonly [minute: Field, hour: Field, day: Field, month: Field, weekday: Field];

function parseField(
  text: string,
  low: number,
  high: number,
  names: readonly string[] = [],
): Field | undefined {
  const number = (word: string): number => {
    const index = names.indexOf(word.toLowerCase());
    return index >= 0 ? index + low : /^\d+$/.test(word) ? Number(word) : Number.NaN;
  };
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [from = '', to] = range.split('-');
    const any = range === '*' || range === '?';
    const first = any ? low : number(from);
    const last = any || (to === undefined && part.includes('/')) ? high : number(to ?? from);
    const by = Number(step);
    if (!(first >= low && last <= high && first <= last && by >= 1)) return undefined;
    for (let value = first; value <= last; value += by) values.add(value);
  }
  return values;
}

/** Reads a schedule ("0 * * * *", "@hourly"); undefined when it cannot be read. */
export function parseSchedule(text: string): Schedule | undefined {
  const [a = '', b = '', c = '', d = '', e = '', ...rest] = (shorthands[text.trim()] ?? text)
    .trim()
    .split(/\s+/);
  const fields = [
    parseField(a, 0, 59),
    parseField(b, 0, 23),
    parseField(c, 1, 31),
    parseField(d, 1, 12, months),
    parseField(e.replaceAll('7', '0'), 0, 6, days),
  ] as const;
  const [minute, hour, day, month, weekday] = fields;
  if (rest.length > 0 || !minute || !hour || !day || !month || !weekday) return undefined;
  return [minute, hour, day, month, weekday];
}

const minuteLength = 60_000;

/** The wall clock of a time zone at a time; UTC without a zone or with one that nobody knows. */
function wall(time: number, zone: string): Date {
  if (zone === '' || zone === 'UTC' || zone === 'Etc/UTC') return new Date(time);
  try {
    const text = new Date(time).toLocaleString('sv-SE', { timeZone: zone });
    return new Date(`${text.replace(' ', 'T')}Z`);
  } catch {
    return new Date(time);
  }
}

function due([minute, hour, day, month, weekday]: Schedule, at: Date): boolean {
  if (!minute.has(at.getUTCMinutes()) || !hour.has(at.getUTCHours()) || !month.has(at.getUTCMonth() + 1)) {
    return false;
  }
  const [byDay, byWeekday] = [day.has(at.getUTCDate()), weekday.has(at.getUTCDay())];
  // Cron's own rule: where both are limited, either is enough.
  return day.size < 31 && weekday.size < 7 ? byDay || byWeekday : byDay && byWeekday;
}

/** The last time a schedule was due after one time and up to another, ms; looks back a day at most. */
export function lastDue(schedule: Schedule, after: number, until: number, zone = ''): number | undefined {
  const latest = Math.floor(until / minuteLength) * minuteLength;
  const earliest = Math.max(after, until - 24 * 60 * minuteLength);
  for (let time = latest; time > earliest; time -= minuteLength) {
    if (due(schedule, wall(time, zone))) return time;
  }
  return undefined;
}
