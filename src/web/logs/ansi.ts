import type { Matcher } from './matcher.ts';

/** A stretch of a log line in one style; `style` are class names, empty for plain text. */
export interface Stretch {
  readonly text: string;
  readonly style: string;
}

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
// eslint-disable-next-line no-control-regex -- escape sequences begin with one
const sequence = /\u001b\[([\d;]*)m/g;

interface Style {
  readonly colour: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
}
const plain: Style = { colour: '', isBold: false, isDim: false };

/** Most stretches and marked matches of one line: every one is an element of the page. */
const most = 500;

function applyOne(style: Style, code: number): Style {
  switch (code) {
    case 0:
      return plain;
    case 1:
      return { ...style, isBold: true };
    case 2:
      return { ...style, isDim: true };
    case 22:
      return { ...style, isBold: false, isDim: false };
    case 39:
      return { ...style, colour: '' };
    // Bright black is how the colours say grey.
    case 90:
      return { ...style, colour: 'grey' };
    default: {
      const colour = colours[code >= 90 ? code - 90 : code - 30];
      return colour === undefined ? style : { ...style, colour };
    }
  }
}

function apply(style: Style, codes: readonly number[]): Style {
  let next = style;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    // Colours beyond the eight are left out: they are not of the theme. Their parameters are skipped.
    if (code === 38 || code === 48) at += codes[at + 1] === 2 ? 4 : codes[at + 1] === 5 ? 2 : 0;
    else next = applyOne(next, code);
  }
  return next;
}

const namesOf = ({ colour, isBold, isDim }: Style) =>
  [colour === '' ? '' : `a-${colour}`, isBold ? 'semi' : '', isDim ? 'dim' : ''].filter(Boolean).join(' ');

/** Splits a line by its colour codes (SGR); other codes are left out. After many stretches the rest is one. */
export function stretchesOf(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let style = plain;
  let from = 0;
  const add = (part: string) => {
    if (part !== '') stretches.push({ text: part, style: namesOf(style) });
  };
  for (const match of text.matchAll(sequence)) {
    if (stretches.length === most) break;
    add(text.slice(from, match.index));
    style = apply(style, (match[1] ?? '').split(';').map(Number));
    from = match.index + match[0].length;
  }
  add(plainText(text.slice(from)));
  return stretches;
}

/** A line without colour codes: what is searched and copied. */
export const plainText = (text: string): string => text.replace(sequence, '');

/** Cuts stretches so that each match of a search is a stretch of its own, marked. */
export function markMatches(
  stretches: readonly Stretch[],
  matcher: Matcher | undefined,
): readonly (Stretch & { readonly isMatch: boolean })[] {
  const matched = matcher?.ranges(stretches.map(({ text }) => text).join('')) ?? [];
  let end = 0;
  // The first match that is not behind yet: stretches and matches are walked side by side.
  let next = 0;
  return stretches.flatMap(({ text, style }) => {
    const start = end;
    end += text.length;
    const parts: (Stretch & { readonly isMatch: boolean })[] = [];
    for (let at = start; at < end; ) {
      const [from, until] = matched[next] ?? [end, end];
      const isMatch = from <= at && at < until;
      const to = Math.min(end, isMatch ? until : from);
      parts.push({ text: text.slice(at - start, to - start), style, isMatch });
      at = to;
      if (isMatch && to === until) next += 1;
    }
    return parts;
  });
}
