import type { CellFormat } from '../kinds/kind.ts';
import type { ColumnFacts } from '../kinds/kind-facts.ts';

/**
 * How the values of a field are asked for.
 * - `text`: by a part, the whole, or a regular expression
 * - `labels`: by key and value
 * - `number`, `ratio`, `cores`, `bytes`, `age`: also by comparing
 * - `health`: the one value `unhealthy`
 */
export type FieldSort = 'text' | 'labels' | 'number' | 'ratio' | 'cores' | 'bytes' | 'age' | 'health';

/** What a filter can ask for by name: a column of the list, or its health. */
export interface FilterField {
  /** Id of the column; `is` for the health. */
  readonly id: string;
  /** The name that completion and sentences use. */
  readonly name: string;
  /** The column's heading. */
  readonly label: string;
  readonly sort: FieldSort;
}

/** Fields by every name that they have, in lower case. */
export type FilterFields = ReadonlyMap<string, FilterField>;

const sorts: Readonly<Partial<Record<CellFormat, FieldSort>>> = {
  number: 'number',
  restarts: 'number',
  ratio: 'ratio',
  cores: 'cores',
  bytes: 'bytes',
  age: 'age',
  duration: 'age',
};

/** Short names of columns; a column that has such a name itself keeps it. */
const shortNames: Readonly<Record<string, string>> = {
  ns: 'namespace',
  label: 'labels',
  cpu: 'cpu-usage',
  memory: 'memory-usage',
  mem: 'memory-usage',
};

const health: FilterField = { id: 'is', name: 'is', label: 'Health', sort: 'health' };

/** A heading as one word: `last-seen` for “Last seen”. */
const wordOf = (label: string) => label.trim().toLowerCase().replaceAll(/\s+/g, '-');

/** The fields of a list: each column by its id, its heading as one word, and its short name; and `is`. */
export function filterFields(columns: readonly Pick<ColumnFacts, 'id' | 'label' | 'format'>[]): FilterFields {
  const ids = new Set(columns.map(({ id }) => id.toLowerCase()));
  const shorts = Object.entries(shortNames).filter(([short, id]) => ids.has(id) && !ids.has(short));
  const fields = new Map<string, FilterField>([['is', health]]);
  for (const { id, label, format } of columns) {
    const name = shorts.find(([, of]) => of === id)?.[0] ?? id.toLowerCase();
    const isLabels = id === 'labels' && format === 'labels';
    const sort = isLabels ? 'labels' : (sorts[format] ?? 'text');
    fields.set(id.toLowerCase(), { id, name, label, sort });
  }
  for (const [short, id] of shorts) {
    const field = fields.get(id);
    if (field !== undefined) fields.set(short, field);
  }
  for (const { id, label } of columns) {
    const field = fields.get(id.toLowerCase());
    if (field !== undefined && !fields.has(wordOf(label))) fields.set(wordOf(label), field);
  }
  return fields;
}

/** A field's names without repeats, as completion offers them. */
export const fieldsOf = (fields: FilterFields): readonly FilterField[] => [...new Set(fields.values())];
