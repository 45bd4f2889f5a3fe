import { distanceOf } from '../edit-distance.ts';

/** The rows of letters of QWERTY, QWERTZ and AZERTY keyboards, the keys of one column below one another. */
const keyboards: readonly (readonly string[])[] = [
  ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['azertyuiop', 'qsdfghjklm', 'wxcvbn'],
];

const neighbours = new Set<string>();
for (const rows of keyboards) {
  for (const [at, row] of rows.entries()) {
    for (const [column, key] of row.split('').entries()) {
      const below = rows[at + 1] ?? '';
      for (const other of [row[column + 1], below[column - 1], below[column]])
        if (other !== undefined) neighbours.add(key + other).add(other + key);
    }
  }
}

/** Pairs of letters that change places between QWERTY and QWERTZ, and between QWERTY and AZERTY. */
const layouts: readonly string[] = ['yz', 'aqwz', 'aq', 'wz'];

/** Letters of keyboards of other scripts, each in the place of the QWERTY key that writes it. */
const scripts: readonly string[] = [
  // Russian
  'йцукенгшщзфывапролдячсмить',
  // Greek
  ';ςερτυθιοπασδφγηξκλζχψωβνμ',
  // Hebrew
  "/'קראטוןםפשדגכעיחלךזסבהנמצ",
];
const qwerty = 'qwertyuiopasdfghjklzxcvbnm';

/**
 * A text in the letters of another script as the same keys write it on QWERTY: `дщпы` is `logs`. Undefined where it has
 * other letters.
 */
export function onQwerty(text: string): string | undefined {
  // The scripts have signs of QWERTY as well: alone they mean themselves.
  if (/^[\x20-\x7e]*$/.test(text)) return undefined;
  const letters = text.replaceAll(' ', '').split('');
  const script = scripts.find((one) => letters.every((letter) => one.includes(letter)));
  return script && text.replaceAll(/[^ ]/gu, (letter) => qwerty[script.indexOf(letter)] ?? '');
}

/** A word as the same keys write it on keyboards of other layouts: `zaml` is `yaml`, `nqmespqces` is `namespaces`. */
export const onOtherLayouts = (word: string): readonly string[] =>
  layouts
    .map((pairs) =>
      word.replaceAll(/[aqwyz]/g, (key) => {
        const at = pairs.indexOf(key);
        return at < 0 ? key : (pairs[at % 2 === 0 ? at + 1 : at - 1] ?? key);
      }),
    )
    .filter((other) => other !== word);

/** Letters of a word from which on one slip is forgiven, and two. */
const [minLengthForOne, minLengthForTwo] = [3, 6];

/**
 * How far a typed word is from a known one as a slip of the fingers: 1 for a neighbouring key, two swapped letters, a letter
 * twice or none instead of one; 1.5 for any other single letter, 2 for two slips. Undefined for words that no slip explains.
 */
export function slipBetween(typed: string, known: string): number | undefined {
  const limit = typed.length >= minLengthForTwo ? 2 : typed.length >= minLengthForOne ? 1 : 0;
  // The first letter is the one that people hit, unless it changed places with the second or its key has a neighbour.
  const distance = limit === 0 ? limit + 1 : distanceOf(typed, known, limit);
  if (distance > limit || distance === 0) return undefined;
  if (distance === 2) return 2;
  const isSubstituted =
    typed.length === known.length && typed.split('').filter((key, at) => key !== known[at]).length === 1;
  const at = typed.split('').findIndex((key, place) => key !== known[place]);
  const isNear = neighbours.has(`${typed[at] ?? ''}${known[at] ?? ''}`);
  // A word of three letters is one letter from many others.
  if (typed.length === minLengthForOne) return isSubstituted ? undefined : 1;
  return isSubstituted && !isNear ? 1.5 : 1;
}
