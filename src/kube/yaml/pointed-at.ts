import type { LineCounter } from 'yaml';

/** Longest part of a line that is shown, in characters. */
const maxLineLength = 80;

/**
 * A line of a text with a mark below one place in it, as the parser shows its own faults.
 * @param offset the place, in characters
 */
export function pointedAt(text: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  const start = lines.lineStarts[line - 1] ?? 0;
  const whole = text.slice(start, lines.lineStarts[line] ?? text.length).replace(/[\r\n]+$/, '');
  // Of a long line the part around the place.
  const from = whole.length <= maxLineLength || col <= maxLineLength / 2 ? 0 : col - maxLineLength / 2;
  return `${whole.slice(from, from + maxLineLength)}\n${' '.repeat(col - 1 - from)}^`;
}
