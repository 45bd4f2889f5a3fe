/**
 * Asciicast v2, the format of asciinema's recordings: a line with the header, then one line an event, in order. Written
 * by the server and read by the page; of the format, what nobody writes here is left out. Input is never written.
 */

/** The first line: the size of the terminal in characters, and when it was opened. */
export interface CastHeader {
  readonly width: number;
  readonly height: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly title: string;
}

/**
 * What happened, with the seconds since the beginning.
 * - `o`: the terminal showed text
 * - `r`: it was resized, to `COLUMNSxROWS`
 * - `m`: a marker, in words
 */
export type CastEvent = readonly [seconds: number, code: 'o' | 'r' | 'm', data: string];

/** The line of a header, with its end. */
export const castHeaderLine = ({ width, height, timestamp, title }: CastHeader): string =>
  `${JSON.stringify({ version: 2, width, height, timestamp, title })}\n`;

/** The line of an event, with its end; its time to the millisecond. */
export const castEventLine = ([seconds, code, data]: CastEvent): string =>
  `${JSON.stringify([Math.round(seconds * 1_000) / 1_000, code, data])}\n`;

/** Text of a size, as `r` has it. */
export const castSize = (columns: number, rows: number): string => `${columns}x${rows}`;

/** A recording, read. */
export interface Cast {
  readonly header: CastHeader;
  readonly events: readonly CastEvent[];
}

const isSize = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1_000;

/** The size that a text of `r` names; undefined for anything else. */
export function readCastSize(data: string): { readonly columns: number; readonly rows: number } | undefined {
  const [columns, rows, ...more] = data.split('x').map(Number);
  return more.length === 0 && isSize(columns) && isSize(rows) ? { columns, rows } : undefined;
}

function readHeader(line: string): CastHeader {
  const found = JSON.parse(line) as Partial<Record<keyof CastHeader | 'version', unknown>>;
  const { version, width, height, timestamp, title } = found;
  if (version !== 2 || !isSize(width) || !isSize(height)) throw new Error('This is not an asciicast v2.');
  return { width, height, timestamp: Number(timestamp) || 0, title: typeof title === 'string' ? title : '' };
}

function readEvent(line: string): CastEvent | undefined {
  const [seconds, code, data] = JSON.parse(line) as readonly unknown[];
  if (typeof seconds !== 'number' || typeof data !== 'string') return undefined;
  return code === 'o' || code === 'r' || code === 'm' ? [seconds, code, data] : undefined;
}

/**
 * Reads a recording. Events of other codes are left out. Throws Error for a text that is none; a last line that was cut
 * off is left out.
 */
export function readCast(text: string): Cast {
  const [first = '', ...lines] = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return {
    header: readHeader(first),
    events: lines
      .map((line) => (line === '' ? undefined : readEvent(line)))
      .filter((one) => one !== undefined),
  };
}
