/** A line of JSON, read: its top is an object. */
export type JsonLine = Readonly<Record<string, unknown>>;

/** Longest line that is read as JSON, characters. */
const longest = 64 * 1024;

/** The object that a line is; undefined for any other line. @param text without colours */
export function jsonOf(text: string): JsonLine | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}') || trimmed.length > longest) return undefined;
  try {
    return JSON.parse(trimmed) as JsonLine;
  } catch {
    return undefined;
  }
}

const messages = ['message', 'msg', '@m', '@mt', 'event', 'text', 'log'] as const;
/** What a line of its own shows already. */
const times = new Set(['time', 'timestamp', 'ts', '@timestamp', '@t', 'date']);

/** A line of JSON in a row: its message, and the other fields short. */
export interface FieldsLine {
  readonly message: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

const shortest = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The message of a line of JSON and its other fields, the time left out: that stands before the line. */
export function fieldsOf(line: JsonLine): FieldsLine {
  const key = messages.find((name) => typeof line[name] === 'string');
  return {
    message: key === undefined ? '' : String(line[key]),
    fields: Object.entries(line)
      .filter(([name]) => name !== key && !times.has(name))
      .map(([name, value]) => [name, shortest(value)] as const),
  };
}
