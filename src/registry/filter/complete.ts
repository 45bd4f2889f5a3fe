import { exampleOf } from './check.ts';
import { fieldsOf, type FilterField, type FilterFields } from './fields.ts';
import { quoted, readFilter } from './parse.ts';

/** A way to go on writing a filter. */
export interface Completion {
  /** The part of the filter that it replaces. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** What it stands for, in a few words. */
  readonly note: string;
}

/** How often each value of a field occurs. */
export type ValueCounts = (field: FilterField) => ReadonlyMap<string, number>;

const maxCompletions = 8;
const usualAges: ReadonlyMap<string, number> = new Map([
  ['10m', 0],
  ['1h', 0],
  ['1d', 0],
  ['7d', 0],
]);

/** A name, its operator, and what follows. */
const fieldPattern = /^([^\s|"/:=<>!]+)(!=|>=|<=|==|[:=<>])(.*)$/s;

/** Where the parts between bars begin. */
function partsOf(text: string, from: number): readonly number[] {
  const starts = [from];
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === '|' && !isQuoted) starts.push(at + 1);
  }
  return starts;
}

interface CaretPlace {
  readonly from: number;
  /** What is written from there to the caret. */
  readonly typed: string;
  /** Whose value is written; undefined for the name of a field or a word. */
  readonly field: FilterField | undefined;
  readonly operator: string;
}

/** What is written at the end of a filter; undefined where that cannot be completed. */
function placeAtEnd(text: string, fields: FilterFields): CaretPlace | undefined {
  const term = readFilter(text, fields).at(-1);
  if (term === undefined || term.to !== text.length) return undefined;
  const begin = term.from + (/^(?:!+|-)?/.exec(text.slice(term.from))?.[0].length ?? 0);
  const parts = partsOf(text, begin);
  const from = parts.at(-1) ?? begin;
  for (const start of parts.toReversed()) {
    const [, name = '', operator = '', value = ''] = fieldPattern.exec(text.slice(start)) ?? [];
    const field = fields.get(name.toLowerCase());
    if (field === undefined) continue;
    const valueFrom = start === from ? text.length - value.length : from;
    return { from: valueFrom, typed: text.slice(valueFrom), field, operator };
  }
  const typed = text.slice(from);
  const isName = /^[\p{L}\d_.-]+$/u.test(typed);
  return isName ? { from, typed, field: undefined, operator: '' } : undefined;
}

/** What may be written for a field's name, up to where its value begins. */
function openingOf(field: FilterField): string {
  const example = exampleOf(field);
  if (field.sort === 'health') return `${example} `;
  return field.sort === 'age' || field.sort === 'text' || field.sort === 'labels'
    ? `${field.name}${field.sort === 'age' ? '<' : ':'}`
    : example.slice(0, field.name.length + 1);
}

function fieldCompletions(
  fields: FilterFields,
  { from, typed }: CaretPlace,
  to: number,
): readonly Completion[] {
  const wanted = typed.toLowerCase();
  const names = (field: FilterField) => [...fields].filter(([, one]) => one === field).map(([name]) => name);
  return fieldsOf(fields)
    .filter((field) => names(field).some((name) => name.startsWith(wanted)))
    .map((field) => ({
      from,
      to,
      text: openingOf(field),
      note: field.sort === 'health' ? 'a warning or worse' : `${field.label}, as in ${exampleOf(field)}`,
    }));
}

/** A value as it can stand in a filter. */
const written = (value: string) => (/[\s|"*]|^\//.test(value) ? quoted(value) : value);

/** Values of a field that fit what is typed: those that begin with it first, then by how often they occur. */
function valueCompletions(
  { from, typed, field, operator }: CaretPlace,
  to: number,
  valuesOf: ValueCounts,
): readonly Completion[] {
  const isCompared = operator === '>' || operator === '<' || operator === '>=' || operator === '<=';
  const sort = field?.sort;
  if (field === undefined || (isCompared && sort !== 'age')) return [];
  if (sort === 'health') return [{ from, to, text: 'unhealthy ', note: 'a warning or worse' }];
  const hasValues = sort === 'text' || sort === 'labels' || sort === 'ratio';
  const values = sort === 'age' ? usualAges : hasValues ? valuesOf(field) : new Map<string, number>();
  const wanted = typed.replace(/^"/, '').toLowerCase();
  const hasKey = sort !== 'labels' || wanted.includes('=');
  const counts = hasKey ? values : keyCounts(values);
  const fitting = [...counts].filter(([value]) => value !== '' && value.toLowerCase().includes(wanted));
  const rank = ([value]: readonly [string, number]) => (value.toLowerCase().startsWith(wanted) ? 0 : 1);
  return fitting
    .sort((a, b) => rank(a) - rank(b) || b[1] - a[1])
    .map(([value, count]) => ({
      from,
      to,
      text: written(value) + (hasKey ? ' ' : ''),
      note: count === 0 ? '' : `${count} ${count === 1 ? 'row' : 'rows'}`,
    }));
}

/** Labels by their keys. */
function keyCounts(labels: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const keys = new Map<string, number>();
  for (const [label, count] of labels) {
    const key = label.replace(/=.*$/s, '');
    keys.set(key, (keys.get(key) ?? 0) + count);
  }
  return keys;
}

/** How a filter may go on at the caret: names of columns that begin as what is typed there, or values of the column. */
export function completionsAt(
  text: string,
  caret: number,
  fields: FilterFields,
  valuesOf: ValueCounts,
): readonly Completion[] {
  if (/^[^\s|]/.test(text.slice(caret))) return [];
  const place = placeAtEnd(text.slice(0, caret), fields);
  if (place === undefined) return [];
  const found =
    place.field === undefined
      ? fieldCompletions(fields, place, caret)
      : valueCompletions(place, caret, valuesOf);
  // What is written in full needs no completion.
  return found.filter(({ text: whole }) => whole.trimEnd() !== place.typed).slice(0, maxCompletions);
}

/** A filter with a completion, and where the caret then stands. */
export function completed(
  text: string,
  { from, to, text: whole }: Completion,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(to);
  const added = whole.endsWith(' ') && rest.startsWith(' ') ? whole.trimEnd() : whole;
  return { text: text.slice(0, from) + added + rest, caret: from + added.length };
}
