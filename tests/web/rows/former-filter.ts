// The filter as it was before its language grew: what addresses and saved filters of that time mean. It is not changed
// any more; `former.test.ts` compares today's reading of them with it.
import type { CellValue, Row } from '../../../src/contract/live.ts';
import type { CellFormat } from '../../../src/registry/kinds/kind.ts';
import type { PlacedColumn } from '../../../src/web/data/rows/placed.ts';
import { statusOf } from '../../../src/web/data/rows/tones.ts';

/**
 * Whether a row is meant.
 * @param words what the row says, by `wordsOf`; whoever asks often keeps it beside the row
 */
type RowTest = (row: Row, words?: string) => boolean;

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

/** Whether the status of a row is a warning or worse. */
function unhealthyTest(columns: readonly PlacedColumn[]): RowTest | undefined {
  const index = columns.find(({ column }) => column.format === 'status')?.index;
  if (index === undefined) return undefined;
  return (row) => {
    const tone = statusOf(row[1][index] ?? null)?.tone;
    return tone === 'bad' || tone === 'warn';
  };
}

/** What a term asks for. */
type TermTarget =
  | { readonly by: 'health' }
  | { readonly by: 'text'; readonly text: string }
  | { readonly by: 'label' | 'column'; readonly text: string; readonly placed: PlacedColumn };

function askedBy(term: string, columns: readonly PlacedColumn[]): TermTarget {
  if (term === 'is:unhealthy') return { by: 'health' };
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
 * Reads a filter: words that must all occur somewhere in the row; `column:text` for one column (`status:`, `node:`,
 * `ns:`), where `*` stands for anything; `label:key=value` and `label:key`; and any of these after a `!` for rows of
 * which it is not true. Upper and lower case are alike. Undefined for a blank text.
 */
export function formerFilter(text: string, columns: readonly PlacedColumn[]): RowTest | undefined {
  const terms = termsOf(text);
  const tests = terms.map((term) => termTest(term, columns));
  const [first, ...others] = tests;
  if (first === undefined) return undefined;
  return others.length === 0 ? first : (row, words) => tests.every((one) => one(row, words));
}

/** What a row says in its columns, in lower case: the text in which words are looked for. */
function wordsOf(row: Row, columns: readonly PlacedColumn[]): string {
  let words = '';
  for (const { column, index } of columns) {
    // Labels are asked for by `label:`; a word in one of them would match rows that do not show it.
    if (column.id !== 'labels') words += `${textOf(row[1][index], column.format)}\n`;
  }
  return words.toLowerCase();
}
