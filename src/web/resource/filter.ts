import type { CellValue, Row } from '../../contract/live.ts';
import type { CellFormat } from '../../registry/kind.ts';
import type { PlacedColumn } from './pipeline.ts';
import { statusOf } from './tones.ts';

/** A filter, ready to be asked about rows. */
export type RowFilter = (row: Row) => boolean;

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
function labelTest(wanted: string, index: number): RowFilter {
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
function unhealthyTest(columns: readonly PlacedColumn[]): RowFilter | undefined {
  const index = columns.find(({ column }) => column.format === 'status')?.index;
  if (index === undefined) return undefined;
  return (row) => {
    const tone = statusOf(row[1][index] ?? null)?.tone;
    return tone === 'bad' || tone === 'warn';
  };
}

function termTest(term: string, columns: readonly PlacedColumn[]): RowFilter {
  if (term === unhealthyTerm) return unhealthyTest(columns) ?? (() => true);
  const split = splitTerm(term);
  if (split !== undefined) {
    const [name, wanted] = split;
    const labels = columns.find(({ column }) => column.format === 'labels' && column.id === 'labels');
    if (name === 'label' && labels !== undefined) return labelTest(wanted, labels.index);
    const placed = columns.find(({ column }) => column.id.toLowerCase() === name);
    if (placed !== undefined) {
      const test = textTest(wanted, false);
      const { column, index } = placed;
      return (row) => test(textOf(row[1][index], column.format).toLowerCase());
    }
  }
  return (row) => haystackOf(row, columns).includes(term);
}

/**
 * Reads a filter: words that must all occur somewhere in the row; `column:text` for one column (`status:`, `node:`,
 * `ns:`), where `*` stands for anything; `label:key=value` and `label:key`; and any of these after a `!` for rows of
 * which it is not true. Upper and lower case are alike. Undefined for a blank text.
 */
export function rowFilter(text: string, columns: readonly PlacedColumn[]): RowFilter | undefined {
  const terms = text
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '' && term !== '!');
  if (terms.length === 0) return undefined;
  const tests = terms.map((term): RowFilter => {
    if (!term.startsWith('!')) return termTest(term, columns);
    const test = termTest(term.slice(1), columns);
    return (row) => !test(row);
  });
  return (row) => tests.every((test) => test(row));
}

/** Prepared once for each row: rows keep their identity while they do not change. */
const haystacks = new WeakMap<Row, string>();

function haystackOf(row: Row, columns: readonly PlacedColumn[]): string {
  let text = haystacks.get(row);
  if (text === undefined) {
    text = columns
      // Labels are asked for by `label:`; a word in one of them would match rows that do not show it.
      .filter(({ column }) => column.id !== 'labels')
      .map(({ column, index }) => textOf(row[1][index], column.format))
      .join('\n')
      .toLowerCase();
    haystacks.set(row, text);
  }
  return text;
}
