import { invisibleCharacters } from './text.ts';

/** Escape sequences by their shapes (ECMA-48). */
const sequence = String.raw`\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]*[0-~])`;
/** They, then every other character that no text may have; a line has no newline either. */
const unsafeCharacters = new RegExp(String.raw`${sequence}|[\n${invisibleCharacters}]`, 'g');
// eslint-disable-next-line no-control-regex -- colours are sequences
const colour = /^\u001b\[[0-9;:]*m$/;

/** A line of a log without control characters; colours (SGR sequences) stay. */
export function cleanLogLine(text: string): string {
  return text.replace(unsafeCharacters, (found) => (colour.test(found) ? found : ''));
}

// eslint-disable-next-line no-control-regex -- the same
const colours = /\u001b\[[0-9;:]*m/g;

/**
 * What a terminal is left with of a line that was written over: what stands after its last carriage return (progress
 * bars write themselves anew that way), in the colour that was set before. Returns at the end overwrite nothing.
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

const timestampPrefix = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z) ?/;

/** Splits what the cluster put before a line (`timestamps=true`) from the line; no time where there is none. */
export function splitLogLine(line: string): readonly [time: string, text: string] {
  const time = timestampPrefix.exec(line);
  return time === null ? ['', line] : [time[1] ?? '', line.slice(time[0].length)];
}

/** A log's time as a text that sorts: nanoseconds are written in full. */
export function logTimeKey(time: string): string {
  return `${time.slice(0, 19)}.${time.slice(20, -1).padEnd(9, '0')}`;
}
