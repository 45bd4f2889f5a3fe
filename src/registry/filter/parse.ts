import { distanceOf } from '../edit-distance.ts';
import {
  exampleOf,
  type FieldCheck,
  type FilterOperator,
  type FilterValue,
  maxRegexLength,
  readCheck,
  tooLong,
} from './check.ts';
import { type FilterField, type FilterFields, fieldsOf } from './fields.ts';

/** One thing that a term asks for. Words are in lower case. */
export type FilterAtom =
  | { readonly by: 'word'; readonly text: string }
  | { readonly by: 'regex'; readonly source: string }
  | {
      readonly by: 'field';
      readonly field: FilterField;
      /** It holds where none of the checks does. */
      readonly isNot: boolean;
      /** One of them must hold. */
      readonly checks: readonly FieldCheck[];
    };

/**
 * Something to say about a term.
 * - `wrong`: it cannot be read and no row passes it
 * - `open`: it is not finished, and every row passes it
 * - `note`: it is read otherwise than it may be meant
 */
export interface FilterProblem {
  readonly type: 'wrong' | 'open' | 'note';
  readonly text: string;
}

/** A part of a filter; a row must pass each of them. */
export interface FilterTerm {
  /** Where it stands in the filter. */
  readonly from: number;
  readonly to: number;
  readonly isNot: boolean;
  /** One of them must hold. */
  readonly atoms: readonly FilterAtom[];
  readonly problem?: FilterProblem;
}

const noFields: FilterFields = new Map();

const operatorAt = /(?:!=|>=|<=|==|[:=<>])/y;
const nameAt = /[^\s|"/:=<>!]+/y;
const wordAt = /[^\s|]*/y;
const gapAt = /\s*/y;
const quotedAt = /"((?:[^"\\]|\\.)*)("?)/sy;

/** What a sticky pattern finds at a place of a text. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Where the regular expression that begins at a place ends, behind its slash; undefined where none does. */
function regexEnd(text: string, at: number): number | undefined {
  if (text[at] !== '/') return undefined;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === '/' && end > at + 1 && /^(?:[\s|]|$)/.test(text.slice(end + 1, end + 2)))
      return end + 1;
  }
  return undefined;
}

/** The name, the operator and the end of both, where a field is asked for at a place. */
function headAt(text: string, at: number) {
  const name = matchAt(nameAt, text, at)?.[0];
  if (name === undefined) return undefined;
  const sign = matchAt(operatorAt, text, at + name.length)?.[0];
  if (sign === undefined) return undefined;
  const operator = (sign === '==' ? '=' : sign) as FilterOperator;
  return { name, operator, end: at + name.length + sign.length };
}

/** Says that there is no such field, what its term is read as, and what may be meant: without a guess, all there is. */
function unknownField(name: string, term: string, fields: FilterFields, operator: FilterOperator): string {
  const wanted = name.toLowerCase();
  const [near] = [...fields.keys()].filter(
    (one) => distanceOf(wanted, one, 2) <= (wanted.length > 4 ? 2 : 1),
  );
  const label = [...fields.values()].find(({ sort }) => sort === 'labels');
  const isLabel = label !== undefined && (operator === '=' || operator === '!=');
  const remedy =
    near !== undefined
      ? ` Did you mean ${near}${operator}?`
      : isLabel
        ? ` A label is ${label.name}:${term.replace('!=', '=')}.`
        : ` The columns are ${fieldsOf(fields)
            .filter(({ sort }) => sort !== 'health')
            .map((field) => field.name)
            .join(', ')}.`;
  return `There is no column “${name}”. “${term}” is searched as text.${remedy}`;
}

/** Reads one term. Whoever is done with it has its end in `at`. */
class TermReader {
  readonly #text: string;
  readonly #fields: FilterFields;
  readonly #atoms: FilterAtom[] = [];
  #at: number;
  #problem: FilterProblem | undefined;

  constructor(text: string, at: number, fields: FilterFields) {
    this.#text = text;
    this.#fields = fields;
    this.#at = at;
  }

  read(): FilterTerm {
    const from = this.#at;
    const sign = /^(?:!+|-)/.exec(this.#text.slice(from, from + 100))?.[0] ?? '';
    const isNot = sign.length % 2 === 1;
    this.#at += sign.length;
    do this.#readAtom();
    while (this.#skipBar());
    const isBlank = this.#atoms.length === 0 && this.#problem === undefined;
    if (isBlank) {
      const [typed] = this.#text.slice(from);
      const wanted = sign === '' ? 'the words that it stands between' : 'the word that is not to be there';
      this.#say(
        'open',
        typed === '"' ? 'Close the phrase with a second quote.' : `'${sign || '|'}' needs ${wanted}.`,
      );
    }
    const problem = this.#problem;
    return { from, to: this.#at, isNot, atoms: this.#atoms, ...(problem === undefined ? {} : { problem }) };
  }

  #say(type: FilterProblem['type'], text: string): void {
    const weights = { note: 0, open: 1, wrong: 2 };
    if (this.#problem === undefined || weights[this.#problem.type] < weights[type])
      this.#problem = { type, text };
  }

  #skipBar(): boolean {
    if (this.#text[this.#at] !== '|') return false;
    this.#at += 1;
    return true;
  }

  #readAtom(): void {
    const head = headAt(this.#text, this.#at);
    const field = head && this.#fields.get(head.name.toLowerCase());
    if (head !== undefined && field !== undefined) {
      this.#readField(field, head.operator, head.end);
      return;
    }
    const from = this.#at;
    const { text, isRegex, isQuoted } = head === undefined ? this.#readValue() : this.#readUnknown(head.end);
    if (isRegex) {
      if (text.length > maxRegexLength) this.#say('wrong', tooLong(text));
      else this.#atoms.push({ by: 'regex', source: text });
      return;
    }
    if (text !== '') this.#atoms.push({ by: 'word', text: text.toLowerCase() });
    if (isQuoted || text === '') return;
    if (head !== undefined && /^[a-z]/i.test(head.name))
      this.#say(
        'note',
        unknownField(head.name, this.#text.slice(from, this.#at), this.#fields, head.operator),
      );
    else if (text.startsWith('/') && text.length > 1)
      this.#say('note', `'${text}' is searched as text; a regular expression ends with a slash: ${text}/`);
  }

  /** A name that is no field, with what stands behind its operator: a text as it is written. */
  #readUnknown(end: number): FilterValue & { readonly isQuoted: boolean } {
    const from = this.#at;
    this.#at = end;
    if (matchAt(quotedAt, this.#text, end) === null)
      this.#at += matchAt(wordAt, this.#text, end)?.[0].length ?? 0;
    else this.#readValue();
    return { text: this.#text.slice(from, this.#at), isRegex: false, isQuoted: false };
  }

  /** A field with its values; those behind bars belong to it until one names a field of its own. */
  #readField(field: FilterField, operator: FilterOperator, at: number): void {
    const checks: FieldCheck[] = [];
    const head = this.#text.slice(this.#at, at);
    this.#at = at;
    do {
      const value = this.#readValue();
      if (value.text === '' && !value.isQuoted) continue;
      const outcome = readCheck(field, operator, value);
      if ('check' in outcome) checks.push(outcome.check);
      else this.#say('wrong', outcome.problem);
    } while (!this.#isFieldBehindBar() && this.#skipBar());
    if (checks.length > 0) this.#atoms.push({ by: 'field', field, isNot: operator === '!=', checks });
    else if (this.#problem === undefined)
      this.#say('open', `'${head}' needs a value, as in ${exampleOf(field)}.`);
  }

  #isFieldBehindBar(): boolean {
    if (this.#text[this.#at] !== '|') return false;
    const head = headAt(this.#text, this.#at + 1);
    return head !== undefined && this.#fields.has(head.name.toLowerCase());
  }

  #readValue(): FilterValue & { readonly isQuoted: boolean } {
    const text = this.#text;
    const from = this.#at;
    const quoted = matchAt(quotedAt, text, from);
    if (quoted !== null) {
      const [whole, inner = ''] = quoted;
      this.#at += whole.length;
      return { text: inner.replaceAll(/\\(.)/gs, '$1'), isRegex: false, isQuoted: true };
    }
    const end = regexEnd(text, from);
    if (end !== undefined) {
      this.#at = end;
      return { text: text.slice(from + 1, end - 1), isRegex: true, isQuoted: false };
    }
    const word = matchAt(wordAt, text, from)?.[0] ?? '';
    this.#at += word.length;
    return { text: word, isRegex: false, isQuoted: false };
  }
}

/**
 * Reads a filter: terms apart by spaces, all of which must hold. `docs/filters.md` describes them; any text is a filter,
 * and a term that cannot be read says so by its problem.
 * @param fields the columns that there are; a name that is none of them is text
 */
export function readFilter(text: string, fields: FilterFields): readonly FilterTerm[] {
  const terms: FilterTerm[] = [];
  for (let at = 0; at < text.length; ) {
    const from = at + (matchAt(gapAt, text, at)?.[0].length ?? 0);
    if (from === text.length) break;
    const term = new TermReader(text, from, fields).read();
    terms.push(term);
    at = term.to;
  }
  return terms;
}

/** A text as a phrase: in quotes, whatever is in it. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** The term that leaves only what is not well. */
export const unhealthyTerm = 'is:unhealthy';

/** Every part of a filter as it is written. */
const wordsIn = (text: string) => readFilter(text, noFields).map(({ from, to }) => text.slice(from, to));

/** Whether a filter has a term, as it is written. */
export const hasTerm = (text: string, term: string): boolean => wordsIn(text).includes(term);

/** A filter with a term, or without it where it has it. */
export function toggledTerm(text: string, term: string): string {
  const terms = wordsIn(text);
  return (terms.includes(term) ? terms.filter((one) => one !== term) : [...terms, term]).join(' ');
}

/** A filter without one of its terms. */
export function withoutTerm(text: string, { from, to }: Pick<FilterTerm, 'from' | 'to'>): string {
  return `${text.slice(0, from).trimEnd()} ${text.slice(to).trimStart()}`.trim();
}
