import { escapeSequence, withoutSequenceRests } from './escape-sequences.ts';
import { invisibleCharacters } from './text.ts';

/** Escape sequences and unsafe characters; a line contains no newline either. */
const unsafeCharacters = new RegExp(String.raw`${escapeSequence}|[\n${invisibleCharacters}]`, 'gu');
// eslint-disable-next-line no-control-regex -- colours are escape sequences
const colour = /^\u001b\[[0-9;:]*m$/;
// eslint-disable-next-line no-control-regex -- the same
const wholeColours = /(\u001b\[[0-9;:]*m)/;

/**
 * Removes control characters from a log line, and rests of sequences whose escape character was lost; colours (SGR
 * sequences) stay.
 */
export function cleanLogLine(text: string): string {
  const clean = text.replace(unsafeCharacters, (found) => (colour.test(found) ? found : ''));
  if (!clean.includes('[') && !clean.includes(']')) return clean;
  if (!clean.includes('\u001b')) return withoutSequenceRests(clean);
  // Its colours are whole, so their own brackets are no rests.
  const parts = clean.split(wholeColours);
  return parts.map((part, at) => (at % 2 === 1 ? part : withoutSequenceRests(part))).join('');
}

// eslint-disable-next-line no-control-regex -- the same
const colours = /\u001b\[[0-9;:]*m/g;

/** A line without its colours. */
export const withoutColours = (text: string): string => text.replace(colours, '');

/**
 * The visible part of a line that a program overwrote: the text after its last carriage return (as in progress bars) in
 * the colour set before it. Trailing carriage returns overwrite nothing.
 */
export function lastWritten(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\r') end -= 1;
  const start = end === 0 ? 0 : text.lastIndexOf('\r', end - 1) + 1;
  if (start === 0) return text.slice(0, end);
  const before = text.slice(0, start).match(colours) ?? [];
  const reset = before.findLastIndex((one) => one === '\u001b[m' || one === '\u001b[0m');
  return before.slice(reset + 1).join('') + text.slice(start, end);
}

/** RFC 3339: container runtimes write the offset of their node's clock. */
const timestampPrefix =
  /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))(?: |$)/;

/** A time of a node in UTC, without its fraction (`2026-01-31T08:00:00`); undefined if there is no such time. */
function utcTime(local: string, offsetMinutes: number): string | undefined {
  if (offsetMinutes === 0) return local;
  const time = Date.parse(`${local}Z`) - offsetMinutes * 60_000;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 19);
}

/**
 * Splits a log line into the cluster's timestamp (`timestamps=true`) and the text. The time is in UTC (`…Z`) with at
 * most nine digits of fraction, whatever offset and precision the node wrote; empty if there is none.
 */
export function splitLogLine(line: string): readonly [time: string, text: string] {
  const match = timestampPrefix.exec(line);
  if (match === null) return ['', line];
  const [prefix, date = '', clock = '', fraction = '', sign, hours, minutes] = match;
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  const time = utcTime(`${date}T${clock}`, sign === '-' ? -offset : offset);
  if (time === undefined) return ['', line];
  return [`${time}${fraction === '' ? '' : `.${fraction.slice(0, 9)}`}Z`, line.slice(prefix.length)];
}

/** Formats a log timestamp with all nine digits of the nanoseconds, so that it sorts as a text. */
export function logTimeKey(time: string): string {
  return `${time.slice(0, 19)}.${time.slice(20, -1).padEnd(9, '0')}`;
}
