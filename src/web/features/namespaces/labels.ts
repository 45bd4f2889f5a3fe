import type { MapRow } from '../actions/args.ts';

/** The labels of a form; a sentence where they are not yet some. Blank lines are left out. */
export function labelsOf(rows: readonly MapRow[]): Readonly<Record<string, string>> | string {
  const given = rows.filter(({ key, value }) => key.trim() !== '' || value.trim() !== '');
  const keys = given.map(({ key }) => key.trim());
  if (keys.includes('')) return 'A value has no key.';
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) return `${twice} appears twice.`;
  return Object.fromEntries(given.map(({ key, value }) => [key.trim(), value.trim()]));
}
