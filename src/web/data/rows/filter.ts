import type { CellValue, Row } from '../../../contract/live.ts';
import type { CellFormat } from '../../../registry/kind.ts';
import type { PlacedColumn } from './placed.ts';
import { statusOf } from './tones.ts';

/**
 * Whether a row matches.
 * @param words what the row says, by `wordsOf`; whoever asks often keeps it beside the row
 */
type RowTest = (row: Row, words?: string) => boolean;

/** A filter, ready to be asked about rows. */
export interface RowFilter extends RowTest {
  /** It looks at what rows say, not at single columns alone. */
  readonly asksWords: boolean;
}

/** Short ways to say a column. */
const shorts: Readonly<Record<string, string>> = { ns: 'namespace', labels: 'label' };

/** The words of a cell, for the text filter. */
function textOf(value: CellValue | undefined, format: CellFormat): string {
  if (value === null || value === undefined || format === 'age') return '';
  if (format === 'status') return statusOf(value)?.label ?? '';
  if (format === 'restarts') return Array.isArray(value) ? String(value[0] ?? '') : '';
  return Array.isArray(value) ? value.join(' ') : String(value);
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a text is meant by a pattern: the whole of it where a `*` stands for anything, else a part. */
function textTest(wanted: string, isWhole: boolean): (text: string) => boolean {
  if (!wanted.includes('*')) return isWhole ? (text) => text === wanted : (text) => text.includes(wanted);
  const pattern = new RegExp(`^${wanted.split('*').map(escape).join('.*')}$`);
  return (text) => pattern.test(text);
}

/** `label:app=web` for a value, `label:app` for a key; `*` stands for anything. */
function labelTest(wanted: string, index: number): RowTest {
  const at = wanted.indexOf('=');
  const key = textTest(at < 0 ? wanted : wanted.slice(0, at), true);
  const value = at < 0 ? undefined : textTest(wanted.slice(at + 1), true);
  return (row) => {
    const cell = row[1][index];
    if (!Array.isArray(cell)) return false;
    return (cell as readonly unknown[]).some((one) => {
      const text = String(one).toLowerCase();
      const equals = text.indexOf('=');
      const name = equals < 0 ? text : text.slice(0, equals);
      return key(name) && (value === undefined || value(equals < 0 ? '' : text.slice(equals + 1)));
    });
  };
}

function splitTerm(term: string): readonly [string, string] | undefined {
  const at = term.indexOf(':');
  if (at <= 0 || at === term.length - 1) return undefined;
  const name = term.slice(0, at);
  return [shorts[name] ?? name, term.slice(at + 1)];
}

/** The term that leaves only what is not well. */
export const unhealthyTerm = 'is:unhealthy';

/** A filter with a term, or without it where it has it. */
export function toggledTerm(text: string, term: string): string {
  const terms = text.split(/\s+/).filter((one) => one !== '');
  return (terms.includes(term) ? terms.filter((one) => one !== term) : [...terms, term]).join(' ');
}

/** Whether the status of a row is a warning or worse. */
function unhealthyTest(columns: readonly PlacedColumn[]): RowTest | undefined {
  const index = columns.find(({ column }) => column.format === 'status')?.index;
  if (index === undefined) return undefined;
  return (row) => {
    const tone = statusOf(row[1][index] ?? null)?.tone;
    return tone === 'bad' || tone === 'warn';
  };
}

/** The column or property that a term is about. */
type TermTarget =
  | { readonly by: 'health' }
  | { readonly by: 'text'; readonly text: string }
  | { readonly by: 'label' | 'column'; readonly text: string; readonly placed: PlacedColumn };

function askedBy(term: string, columns: readonly PlacedColumn[]): TermTarget {
  if (term === unhealthyTerm) return { by: 'health' };
  const [name, text] = splitTerm(term) ?? [];
  if (name === undefined || text === undefined) return { by: 'text', text: term };
  const labels = columns.find(({ column }) => column.format === 'labels' && column.id === 'labels');
  if (name === 'label' && labels !== undefined) return { by: 'label', text, placed: labels };
  const placed = columns.find(({ column }) => column.id.toLowerCase() === name);
  return placed === undefined ? { by: 'text', text: term } : { by: 'column', text, placed };
}

function termTest(term: string, columns: readonly PlacedColumn[]): RowTest {
  if (term.startsWith('!')) {
    const test = termTest(term.slice(1), columns);
    return (row, words) => !test(row, words);
  }
  const asked = askedBy(term, columns);
  if (asked.by === 'health') return unhealthyTest(columns) ?? (() => true);
  if (asked.by === 'text') return (row, words = wordsOf(row, columns)) => words.includes(asked.text);
  const { column, index } = asked.placed;
  if (asked.by === 'label') return labelTest(asked.text, index);
  const test = textTest(asked.text, false);
  return (row) => test(textOf(row[1][index], column.format).toLowerCase());
}

const termsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '' && term !== '!');

/**
 * Whether every row that passes one filter surely passes another, as when somebody types on: each term of that one is in
 * it, or one that asks for a longer text in the same place.
 */
export function saysMore(text: string, than: string, columns: readonly PlacedColumn[]): boolean {
  const terms = termsOf(text);
  return termsOf(than).every((term, at) => {
    const longer = terms[at] ?? '';
    if (longer === term) return true;
    if (term.startsWith('!') || longer.startsWith('!')) return false;
    const [asked, more] = [askedBy(term, columns), askedBy(longer, columns)];
    if (asked.by === 'text') return more.by === 'text' && more.text.includes(asked.text);
    if (asked.by !== 'column' || more.by !== 'column' || more.placed !== asked.placed) return false;
    return !asked.text.includes('*') && !more.text.includes('*') && more.text.includes(asked.text);
  });
}

/**
 * Reads a filter: words that must all occur somewhere in the row; `column:text` for one column (`status:`, `node:`,
 * `ns:`), where `*` stands for anything; `label:key=value` and `label:key`; and any of these after a `!` for rows of
 * which it is not true. Upper and lower case are alike. Undefined for a blank text.
 */
export function rowFilter(text: string, columns: readonly PlacedColumn[]): RowFilter | undefined {
  const terms = termsOf(text);
  const tests = terms.map((term) => termTest(term, columns));
  const [first, ...others] = tests;
  if (first === undefined) return undefined;
  const asksWords = terms.some((term) => askedBy(term.replace(/^!+/, ''), columns).by === 'text');
  const test: RowTest = others.length === 0 ? first : (row, words) => tests.every((one) => one(row, words));
  return Object.assign((row: Row, words?: string) => test(row, words), { asksWords });
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
