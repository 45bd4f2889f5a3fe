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

function apply(style: Style, codes: readonly number[]): Style {
  const [code, ...rest] = codes;
  if (code === undefined) return style;
  if (code === 38 || code === 48) {
    // Colours beyond the eight are left out: they are not of the theme. Their parameters are skipped.
    return apply(style, rest.slice(rest[0] === 2 ? 4 : rest[0] === 5 ? 2 : 0));
  }
  const colour = colours[code >= 90 ? code - 90 : code - 30];
  const next: Style =
    code === 0
      ? plain
      : code === 1
        ? { ...style, isBold: true }
        : code === 2
          ? { ...style, isDim: true }
          : code === 22
            ? { ...style, isBold: false, isDim: false }
            : code === 39
              ? { ...style, colour: '' }
              : colour !== undefined && ((code >= 30 && code < 38) || (code >= 90 && code < 98))
                ? { ...style, colour }
                : style;
  return apply(next, rest);
}

const namesOf = ({ colour, isBold, isDim }: Style) =>
  [colour === '' ? '' : `a-${colour}`, isBold ? 'semi' : '', isDim ? 'dim' : ''].filter(Boolean).join(' ');

/** Splits a line by its colour codes (SGR); other codes are left out. */
export function stretchesOf(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let style = plain;
  let from = 0;
  const add = (part: string) => {
    if (part !== '') stretches.push({ text: part, style: namesOf(style) });
  };
  for (const match of text.matchAll(sequence)) {
    add(text.slice(from, match.index));
    style = apply(style, (match[1] ?? '').split(';').map(Number));
    from = match.index + match[0].length;
  }
  add(text.slice(from));
  return stretches;
}

/** A line without colour codes: what is searched and copied. */
export const plainText = (text: string): string => text.replace(sequence, '');

/** Cuts stretches so that each match of a search (case does not matter) is a stretch of its own, marked. */
export function markMatches(
  stretches: readonly Stretch[],
  query: string,
): readonly (Stretch & { readonly isMatch: boolean })[] {
  const wanted = query.toLowerCase();
  const whole = stretches
    .map(({ text }) => text)
    .join('')
    .toLowerCase();
  const cuts = new Set<number>();
  const matched: (readonly [from: number, to: number])[] = [];
  // A letter whose lower case is longer would shift what follows: such a line is shown without marks.
  const isShifted = whole.length !== stretches.reduce((sum, { text }) => sum + text.length, 0);
  if (wanted !== '' && !isShifted) {
    for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + wanted.length)) {
      matched.push([at, at + wanted.length]);
      cuts.add(at).add(at + wanted.length);
    }
  }
  let offset = 0;
  return stretches.flatMap(({ text, style }) => {
    const start = offset;
    offset += text.length;
    const inner = [...cuts].filter((cut) => cut > start && cut < offset).sort((a, b) => a - b);
    return [start, ...inner].map((from, index) => {
      const to = inner[index] ?? offset;
      const isMatch = matched.some(([a, b]) => from >= a && to <= b);
      return { text: text.slice(from - start, to - start), style, isMatch };
    });
  });
}
