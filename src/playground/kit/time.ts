/** A time that cannot be parsed; the message is Go's. */
export class TimeError extends Error {}

const quote = (text: string) => JSON.stringify(text);

/** An element of Go's time layout, and the text that it accepts. */
interface Element {
  readonly text: string;
  readonly pattern: RegExp;
}
const literal = (text: string): Element => ({ text, pattern: new RegExp(`^${text}`) });
const digits = (text: string, count: number): Element => ({ text, pattern: new RegExp(`^\\d{${count}}`) });
const date: readonly Element[] = [
  digits('2006', 4),
  literal('-'),
  digits('01', 2),
  literal('-'),
  digits('02', 2),
  literal('T'),
  digits('15', 2),
  literal(':'),
  digits('04', 2),
  literal(':'),
];
const zone: Element = { text: 'Z07:00', pattern: /^(?:Z|[+-]\d{2}:\d{2})/ };
/** Seconds accept a fraction that the layout does not show. */
const seconds: Element = { text: '05', pattern: /^\d{2}(?:[.,]\d+)?/ };
const layouts = {
  Time: { text: '2006-01-02T15:04:05Z07:00', elements: [...date, seconds, zone] },
  MicroTime: {
    text: '2006-01-02T15:04:05.000000Z07:00',
    elements: [...date, digits('05', 2), { text: '.000000', pattern: /^[.,]\d{6}/ }, zone],
  },
};

const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/**
 * A time in canonical form, as the API server writes it: UTC, in whole seconds, or with six decimals for a
 * MicroTime. Throws TimeError.
 */
export function canonicalTime(text: string, type: 'Time' | 'MicroTime'): string {
  const layout = layouts[type];
  let rest = text;
  const read: string[] = [];
  for (const { text: element, pattern } of layout.elements) {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) {
      const where = `parsing time ${quote(text)} as ${quote(layout.text)}`;
      throw new TimeError(`${where}: cannot parse ${quote(rest)} as ${quote(element)}`);
    }
    read.push(found);
    rest = rest.slice(found.length);
  }
  if (rest !== '') throw new TimeError(`parsing time ${quote(text)}: extra text: ${quote(rest)}`);
  const outside = (unit: string) => new TimeError(`parsing time ${quote(text)}: ${unit} out of range`);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = [0, 2, 4, 6, 8].map((start) =>
    Number(read[start]),
  );
  const second = Number.parseInt(read[10] ?? '0', 10);
  if (month < 1 || month > 12) throw outside('month');
  if (hour > 23) throw outside('hour');
  if (minute > 59) throw outside('minute');
  if (second > 59) throw outside('second');
  if (day < 1 || day > daysIn(year, month)) throw outside('day');
  const shift = /^([+-])(\d{2}):(\d{2})$/.exec(read.at(-1) ?? '');
  const minutes =
    shift === null ? 0 : (Number(shift[2]) * 60 + Number(shift[3])) * (shift[1] === '-' ? -1 : 1);
  const instant = new Date(0);
  instant.setUTCFullYear(year, month - 1, day);
  instant.setUTCHours(hour, minute - minutes, second, 0);
  const wholeSeconds = instant.toISOString().slice(0, 19);
  return type === 'Time' ? `${wholeSeconds}Z` : `${wholeSeconds}.${(read[11] ?? '').slice(1)}Z`;
}
