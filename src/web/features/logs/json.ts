import { cleanLogLine } from '../../../kube/log-line.ts';
import { plainText } from './ansi.ts';

/** A line of JSON, read: its top is an object. */
export type JsonLine = Readonly<Record<string, unknown>>;

/** Longest line that is read as JSON, characters. */
const maxJsonLength = 64 * 1024;

/** The object that a line is; undefined for any other line. @param text without colours */
export function jsonOf(text: string): JsonLine | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}') || trimmed.length > maxJsonLength) return undefined;
  try {
    return JSON.parse(trimmed) as JsonLine;
  } catch {
    return undefined;
  }
}

/** Names under which loggers write what happened. */
const messages = ['message', 'msg', '@m', '@mt', 'event', 'text', 'log'] as const;
/** Names of the time: it stands before the line already. */
const times: ReadonlySet<string> = new Set(['time', 'timestamp', 'ts', '@timestamp', '@t', 'date']);
/** Names of how loud a line is. */
export const levelNames = [
  'level',
  'severity',
  'lvl',
  'log.level',
  'levelname',
  'loglevel',
  'Level',
  '@l',
] as const;
const levels: ReadonlySet<string> = new Set(levelNames);

/** Where a value is in a line: names from the top down. */
export type FieldPath = readonly string[];

/**
 * The value at a path; undefined if there is none. Only own properties of the line count, so that a path may have any
 * name.
 */
export function valueAt(line: JsonLine, path: FieldPath): unknown {
  let value: unknown = line;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** A value in one line of text, without what JSON's escapes may hide in it: control characters, colours, overrides. */
export function valueText(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return plainText(cleanLogLine(text.replaceAll(/[\n\t]+/g, ' ')));
}

/** The name under which a line has its message. */
export const messageName = (line: JsonLine): string | undefined =>
  messages.find((name) => Object.hasOwn(line, name) && typeof line[name] === 'string');

/** Whether a name of the top is shown elsewhere: the message, the time, how loud it is. */
export const isUsual = (name: string, line: JsonLine): boolean =>
  times.has(name) || levels.has(name) || name === messageName(line);

/** A line of JSON in a row: its message, and the other fields short. */
export interface FieldsLine {
  readonly message: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** The message of a line of JSON and its other fields, without those that stand before the line: time and level. */
export function fieldsOf(line: JsonLine): FieldsLine {
  const key = messageName(line);
  return {
    message: key === undefined ? '' : valueText(line[key]),
    fields: Object.entries(line)
      .filter(([name]) => !isUsual(name, line))
      .map(([name, value]) => [valueText(name), valueText(value)] as const),
  };
}
