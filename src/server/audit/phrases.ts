import { roleNameOf } from '../../contract/role-facts.ts';

/** A recorded value. */
type PhraseValue = string | number | boolean | null | undefined;

/** Recorded values by their names. */
export type PhraseValues = Readonly<Record<string, PhraseValue>>;

/** Longest text of one value in a sentence, in characters: the detail has all of it. */
const valueLength = 160;

/** A value in words; undefined where nothing is known. */
function valueWords(name: string, value: PhraseValue): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const role = roleNameOf(name, value);
  if (role !== undefined) return role;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  if (name.endsWith('Id')) return `number ${text}`;
  return text.length > valueLength ? `${text.slice(0, valueLength - 1).toWellFormed()}…` : text;
}

/** A value before or after a change, in words. */
export const changedValue = (name: string, value: PhraseValue): string => valueWords(name, value) ?? 'none';

const placeholder = /\{([\w|]+)\}/g;

/** Says the values of a clause; null where one of them is not known. */
function filled(part: string, values: PhraseValues): string | null {
  let isWhole = true;
  const text = part.replaceAll(placeholder, (_, names: string) => {
    for (const name of names.split('|')) {
      const value = valueWords(name, values[name]);
      if (value !== undefined) return value;
    }
    isWhole = false;
    return '';
  });
  return isWhole ? text : null;
}

/** Fills a clause as `audited` of an endpoint has it. A fact that is not known and cannot be left out is "(unknown)". */
export function fillPhrase(phrase: string, values: PhraseValues): string {
  return phrase
    .split(/(\[[^\]]*\])/)
    .map((part) => {
      if (part.startsWith('[')) return filled(part.slice(1, -1), values) ?? '';
      return part.replaceAll(placeholder, (one) => filled(one, values) ?? '(unknown)');
    })
    .join('');
}

/** Verbs whose past does not end in -ed, or that double a letter. */
const irregular: Readonly<Record<string, string>> = {
  become: 'became',
  begin: 'began',
  cancel: 'cancelled',
  come: 'came',
  do: 'did',
  drop: 'dropped',
  give: 'gave',
  leave: 'left',
  make: 'made',
  map: 'mapped',
  read: 'read',
  run: 'ran',
  send: 'sent',
  set: 'set',
  skip: 'skipped',
  stop: 'stopped',
  take: 'took',
};

/** A clause that begins with a verb, in the past: "create the team" is "created the team". */
export function inPast(clause: string): string {
  const [verb = ''] = clause.split(' ', 1);
  const rest = clause.slice(verb.length);
  const past = irregular[verb];
  if (past !== undefined) return `${past}${rest}`;
  if (verb.endsWith('e')) return `${verb}d${rest}`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied${rest}` : `${verb}ed${rest}`;
}
