import Anser from 'anser';
import type { Matcher } from './matcher.ts';

/** A stretch of a log line in one style; `className` is empty for plain text. */
export interface Stretch {
  readonly text: string;
  readonly className: string;
}

/** Stretches of a line beyond this many are drawn as one: every stretch is an element of the page. */
const maxStretches = 500;

/** A code with more parameters than anybody writes: the library's time grows with the square of their number. */
// eslint-disable-next-line no-control-regex -- escape sequences begin with one
const endlessCode = /\u001b\[[\d;]*;([\d;]{200})m/g;

/** A line whose codes are short enough to be read: of an endless one the last parameters count. */
const readable = (text: string): string => text.replace(endlessCode, '\u001b[$1m');

/** The index at which the part of a text with this many escape codes ends. */
function endOfCodes(text: string, count: number): number {
  let end = -1;
  for (let found = 0; found < count; found += 1) {
    end = text.indexOf('\u001b[', end + 1);
    if (end < 0) return text.length;
  }
  return end;
}

/** The colours of the theme. Black and white are the text's own: both themes have one that could not be read. */
const colours: Readonly<Record<string, string>> = {
  'bright-black': 'text-text-2',
  black: '',
  white: '',
  red: 'text-bad-fg',
  green: 'text-ok-fg',
  yellow: 'text-warn-fg',
  blue: 'text-accent-text',
  cyan: 'text-accent-text',
  magenta: 'text-info-fg',
};

/** The theme's class of a colour as the library names it. Colours beyond the eight leave the last one: the theme has no others. */
function colourClass(name: string | null, lastClass: string): string {
  if (name === null) return '';
  const plain = name.slice('ansi-'.length);
  return colours[plain] ?? colours[plain.replace('bright-', '')] ?? lastClass;
}

/** Splits a line by its colour codes (SGR); other codes are left out. After many stretches the rest is one. */
export function stretchesOf(text: string): readonly Stretch[] {
  const bounded = readable(text);
  const end = endOfCodes(bounded, maxStretches);
  const stretches: Stretch[] = [];
  let colour = '';
  let className = '';
  for (const { content, fg, decorations } of Anser.ansiToJson(bounded.slice(0, end), {
    json: true,
    use_classes: true,
    remove_empty: true,
  })) {
    colour = colourClass(fg, colour);
    const isDim = decorations.includes('dim');
    className = [
      colour === '' && isDim ? 'text-text-3' : colour,
      isDim ? 'font-normal' : decorations.includes('bold') ? 'font-semibold' : '',
    ]
      .filter(Boolean)
      .join(' ');
    stretches.push({ text: content, className });
  }
  const rest = plainText(bounded.slice(end));
  if (rest !== '') stretches.push({ text: rest, className });
  return stretches;
}

/** A line without colour codes: what is searched and copied. */
export const plainText = (text: string): string =>
  text.includes('\u001b') ? Anser.ansiToText(readable(text)) : text;

/** Cuts stretches so that each match of a search is a stretch of its own, marked. */
export function markMatches(
  stretches: readonly Stretch[],
  matcher: Matcher | undefined,
): readonly (Stretch & { readonly isMatch: boolean })[] {
  const matched = matcher?.ranges(stretches.map(({ text }) => text).join('')) ?? [];
  let end = 0;
  // The first match that is not behind yet: stretches and matches are walked side by side.
  let next = 0;
  return stretches.flatMap(({ text, className }) => {
    const start = end;
    end += text.length;
    const parts: (Stretch & { readonly isMatch: boolean })[] = [];
    for (let at = start; at < end; ) {
      const [from, until] = matched[next] ?? [end, end];
      const isMatch = from <= at && at < until;
      const to = Math.min(end, isMatch ? until : from);
      parts.push({ text: text.slice(at - start, to - start), className, isMatch });
      at = to;
      if (isMatch && to === until) next += 1;
    }
    return parts;
  });
}
