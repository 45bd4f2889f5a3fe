/**
 * What a controller puts behind the name of its object, after a hyphen each, when it names a pod:
 * - `hash`: of the template of a Deployment's pods
 * - `chance`: five random characters
 * - `ordinal`: the number of a StatefulSet's pod
 * - `index`: that of an indexed Job's pod; other Jobs have none
 */
export type PodNamePart = 'hash' | 'chance' | 'ordinal' | 'index';

/** The characters of hashes and of chance: without vowels and what looks like one, so that no word comes about. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';
const chanceLength = 5;
/** Longest name before the five characters of chance: the API server cuts it so that the whole fits 63. */
const longestBase = 63 - chanceLength;
/** A hash is a number of 32 bits, digit by digit. */
const hashLength = 10;

const patterns: Readonly<Record<PodNamePart, string>> = {
  hash: `-[${letters}]{6,${hashLength}}`,
  chance: `-[${letters}]{${chanceLength}}`,
  ordinal: '-[0-9]+',
  index: '(-[0-9]+)?',
};

/** The characters that mean something in a regular expression of RE2, which Prometheus has. */
const special = /[\\.+*?()|[\]{}^$]/g;

/** A text as it stands in a regular expression of RE2. */
export const escapeRe2 = (text: string): string => text.replace(special, String.raw`\$&`);

/**
 * A regular expression of RE2 for the names of the pods that an object's controller makes or made. Prometheus anchors it
 * at both ends. Names of others fit it only if they are made alike: a DaemonSet `web-proxyd` has no pods that fit a
 * Deployment `web`, as its name has vowels.
 */
export function podNamePattern(name: string, parts: readonly PodNamePart[]): string {
  const room = longestBase - name.length - 1;
  if (parts.at(-1) !== 'chance' || (parts[0] !== 'hash' && room >= 0) || room > hashLength)
    return escapeRe2(name) + parts.map((part) => patterns[part]).join('');
  // The API server cuts a long name together with the hash behind it.
  const base = escapeRe2(`${name}-`.slice(0, longestBase));
  const rest = room > 0 ? `[-${letters}]{1,${room}}` : '';
  return `${base}${rest}[${letters}]{${chanceLength}}`;
}
