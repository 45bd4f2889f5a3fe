const [minute, hour, day] = [60, 3_600, 86_400];

const units: Readonly<Record<string, number>> = {
  second: 1,
  seconds: 1,
  sekunden: 1,
  m: minute,
  min: minute,
  mins: minute,
  minute: minute,
  minutes: minute,
  minuten: minute,
  h: hour,
  hour: hour,
  hours: hour,
  stunde: hour,
  stunden: hour,
  d: day,
  day: day,
  days: day,
  tag: day,
  tage: day,
  tagen: day,
  week: 7 * day,
  weeks: 7 * day,
  woche: 7 * day,
  wochen: 7 * day,
};
const unitNames = Object.keys(units).join('|');

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const germanWeekdays = ['sonntag', 'montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag'];

/** The beginning of a day, UTC. @param at epoch seconds */
const dayOf = (at: number): number => at - (at % day);

/**
 * The time from which on a question asks, epoch seconds in UTC: `since yesterday`, `in the last 2 hours`, `an hour ago`,
 * `since 14:00`, `seit Montag`. Undefined where it names none.
 * @param text in lower case, without ä, ö, ü and ß
 */
export function timeIn(text: string, now: number): number | undefined {
  const date = /\b(\d{4}-\d{2}-\d{2})(?:[t ](\d{1,2}:\d{2}))?/.exec(text);
  if (date !== null) {
    const at = Date.parse(`${date[1]}T${(date[2] ?? '00:00').padStart(5, '0')}Z`);
    return Number.isNaN(at) ? undefined : at / 1000;
  }
  const spans = new RegExp(
    `\\b(?:last|past|previous|within|letzten?|seit|vor|since|in)(?: the| den| der)?(?: last| past| letzten?)? (\\d+|an?|einer|einem|eine|half an|couple of|few)? ?(${unitNames})\\b|\\b(\\d+|an?) ?(${unitNames}) ago\\b`,
  ).exec(text);
  if (spans !== null) {
    const figure = spans[1] ?? spans[3] ?? '1';
    const number = Number(figure);
    const count = Number.isNaN(number)
      ? figure === 'half an'
        ? 0.5
        : /few|couple/.test(figure)
          ? 3
          : 1
      : number;
    return now - count * (units[spans[2] ?? spans[4] ?? ''] ?? hour);
  }
  const clock = /\b(?:since|from|after|at|seit|ab|um) (\d{1,2})(?::(\d{2}))? ?(am|pm|uhr)?\b/.exec(text);
  if (clock !== null) {
    const hours =
      (Number(clock[1]) % (clock[3] === undefined || clock[3] === 'uhr' ? 24 : 12)) +
      (clock[3] === 'pm' ? 12 : 0);
    const today = dayOf(now) + hours * hour + Number(clock[2] ?? 0) * minute;
    const start = /\byesterday|gestern\b/.test(text) ? today - day : today;
    return start > now ? start - day : start;
  }
  if (/\b(?:yesterday|gestern|last night|overnight)\b/.test(text)) return dayOf(now) - day;
  if (/\b(?:today|this morning|tonight|heute)\b/.test(text)) return dayOf(now);
  if (/\b(?:this week|diese woche)\b/.test(text))
    return dayOf(now) - ((new Date(now * 1000).getUTCDay() + 6) % 7) * day;
  const named = [...weekdays.entries(), ...germanWeekdays.entries()].find(([, name]) =>
    new RegExp(`\\b${name}s?\\b`).test(text),
  );
  if (named === undefined) return undefined;
  const past = (new Date(now * 1000).getUTCDay() - named[0] + 7) % 7;
  return dayOf(now) - (past === 0 ? 7 : past) * day;
}
