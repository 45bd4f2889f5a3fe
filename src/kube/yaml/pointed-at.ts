import type { LineCounter } from 'yaml';

/** Maximum length of the displayed part of a line, in characters. */
const maxLineLength = 80;

/**
 * A line of a text with a caret below one position, in the format of the parser's own errors.
 * @param offset the position, in characters
 */
export function pointedAt(text: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  const start = lines.lineStarts[line - 1] ?? 0;
  const whole = text.slice(start, lines.lineStarts[line] ?? text.length).replace(/[\r\n]+$/, '');
  // Shows only the part around the position if the line is long.
  const from = whole.length <= maxLineLength || col <= maxLineLength / 2 ? 0 : col - maxLineLength / 2;
  return `${whole.slice(from, from + maxLineLength)}\n${' '.repeat(col - 1 - from)}^`;
}
