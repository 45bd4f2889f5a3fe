import type { CellValue, Row } from '../../../contract/live.ts';
import type { FieldCheck } from '../../../registry/filter/check.ts';
import { type FilterFields, filterFields } from '../../../registry/filter/fields.ts';
import { type FilterAtom, type FilterTerm, readFilter } from '../../../registry/filter/parse.ts';
import { cellTest, textOf } from './cell-test.ts';
import type { PlacedColumn } from './placed.ts';
import type { CompileRegex } from './regex.ts';
import { toneOf } from './tones.ts';

/**
 * Whether a row is meant.
 * @param words what the row says, by `wordsOf`; whoever asks often keeps it beside the row
 * @param now seconds since 1970; ages are counted up to it
 */
type RowTest = (row: Row, words: string, now: number) => boolean;

/** A filter, ready to be asked about rows. */
export interface RowFilter {
  readonly passes: RowTest;
  /** It looks at what rows say, not at single columns alone. */
  readonly asksWords: boolean;
  /** Its answers change as time passes. */
  readonly asksTime: boolean;
  /** It has a regular expression: no row passes it before there is an engine. */
  readonly asksRegex: boolean;
  readonly terms: readonly FilterTerm[];
}

const fieldsByColumns = new WeakMap<readonly PlacedColumn[], FilterFields>();

/** What a filter of a list with these columns can ask for. */
export function fieldsOfColumns(columns: readonly PlacedColumn[]): FilterFields {
  const known = fieldsByColumns.get(columns);
  if (known !== undefined) return known;
  const fields = filterFields(columns.map(({ column }) => column));
  fieldsByColumns.set(columns, fields);
  return fields;
}

/** Whether the status of a row is a warning or worse; true where there is none. */
function healthTest(columns: readonly PlacedColumn[]): RowTest {
  const index = columns.find(({ column }) => column.format === 'status')?.index;
  if (index === undefined) return () => true;
  return ([, cells]) => {
    const tone = toneOf(cells[index]);
    return tone === 'bad' || tone === 'warn';
  };
}

function atomTest(
  atom: FilterAtom,
  columns: readonly PlacedColumn[],
  compile: CompileRegex | undefined,
): RowTest {
  if (atom.by === 'word') {
    const { text } = atom;
    return (_, words) => words.includes(text);
  }
  if (atom.by === 'regex') {
    const regex = compile?.(atom.source);
    return typeof regex === 'object' ? (_, words) => regex.test(words) : () => false;
  }
  const { field, checks, isNot } = atom;
  if (field.sort === 'health') {
    const test = healthTest(columns);
    return isNot ? (row, words, now) => !test(row, words, now) : test;
  }
  const placed = columns.find(({ column }) => column.id === field.id);
  if (placed === undefined) return () => false;
  const { index, column } = placed;
  const tests = checks.map((check) => cellTest(check, column.format, compile));
  return ([, cells], _, now) => {
    const value: CellValue | undefined = cells[index];
    return tests.some((test) => test(value, now)) !== isNot;
  };
}

/** A term that cannot be read, or asks for a regular expression that cannot, is passed by no row. */
function termTest(
  { atoms, isNot, problem }: FilterTerm,
  columns: readonly PlacedColumn[],
  compile: CompileRegex | undefined,
): RowTest {
  if (problem?.type === 'wrong') return () => false;
  if (regexesOf(atoms).some((source) => typeof compile?.(source) !== 'object')) return () => false;
  const tests = atoms.map((atom) => atomTest(atom, columns, compile));
  const [first, ...others] = tests;
  if (first === undefined) return () => true;
  const test: RowTest =
    others.length === 0 ? first : (row, words, now) => tests.some((one) => one(row, words, now));
  return isNot ? (row, words, now) => !test(row, words, now) : test;
}

const checksOf = (atoms: readonly FilterAtom[]): readonly FieldCheck[] =>
  atoms.flatMap((atom) => (atom.by === 'field' ? atom.checks : []));

/** The regular expressions of a term. */
export const regexesOf = (atoms: readonly FilterAtom[]): readonly string[] => [
  ...atoms.flatMap((atom) => (atom.by === 'regex' ? [atom.source] : [])),
  ...checksOf(atoms).flatMap((check) => (check.type === 'regex' ? [check.source] : [])),
];

const isAgeAtom = (atom: FilterAtom) =>
  atom.by === 'field' && atom.field.sort === 'age' && atom.checks.some(({ type }) => type === 'compare');

/**
 * Reads a filter in the language of `docs/filters.md`. Undefined where it asks for nothing.
 * @param compile the engine for regular expressions, once it is there
 */
export function rowFilter(
  text: string,
  columns: readonly PlacedColumn[],
  compile?: CompileRegex,
): RowFilter | undefined {
  const terms = readFilter(text, fieldsOfColumns(columns)).filter(
    ({ atoms, problem }) => atoms.length > 0 || problem?.type === 'wrong',
  );
  const tests = terms.map((term) => termTest(term, columns, compile));
  const [first, ...others] = tests;
  if (first === undefined) return undefined;
  const atoms = terms.flatMap((term) => term.atoms);
  return {
    passes: others.length === 0 ? first : (row, words, now) => tests.every((one) => one(row, words, now)),
    asksWords: atoms.some(({ by }) => by !== 'field'),
    asksTime: atoms.some(isAgeAtom),
    asksRegex: terms.some((term) => regexesOf(term.atoms).length > 0),
    terms,
  };
}

/** The searchable text of a row: its columns in lower case. */
export function wordsOf(row: Row, columns: readonly PlacedColumn[]): string {
  let words = '';
  for (const { column, index } of columns) {
    // Labels are asked for by `label:`; a word in one of them would match rows that do not show it.
    if (column.id !== 'labels') words += `${textOf(row[1][index], column.format)}\n`;
  }
  return words.toLowerCase();
}

/** The one atom of a term that asks for nothing else. */
function onlyAtom({ atoms, isNot, problem }: FilterTerm): FilterAtom | undefined {
  return atoms.length === 1 && !isNot && problem?.type !== 'wrong' ? atoms[0] : undefined;
}

/** The part of a cell that an atom asks for, and of which cell. */
function partOf(atom: FilterAtom): { readonly of: string; readonly text: string } | undefined {
  if (atom.by === 'word') return { of: '', text: atom.text };
  if (atom.by !== 'field' || atom.isNot || atom.checks.length !== 1) return undefined;
  const [check] = atom.checks;
  return check?.type === 'part' ? { of: atom.field.id, text: check.text } : undefined;
}

/**
 * Whether every row that passes one filter surely passes another, as when somebody types on: each term of that one is in
 * it, or one that asks for a longer text in the same place.
 */
export function saysMore(text: string, than: string, columns: readonly PlacedColumn[]): boolean {
  const fields = fieldsOfColumns(columns);
  const terms = readFilter(text, fields);
  return readFilter(than, fields).every((term, index) => {
    if (term.atoms.length === 0 && term.problem?.type !== 'wrong') return true;
    const longer = terms[index];
    if (longer === undefined) return false;
    if (text.slice(longer.from, longer.to) === than.slice(term.from, term.to)) return true;
    const [asked, more] = [onlyAtom(term), onlyAtom(longer)].map((atom) => atom && partOf(atom));
    return asked !== undefined && more?.of === asked.of && more.text.includes(asked.text);
  });
}
