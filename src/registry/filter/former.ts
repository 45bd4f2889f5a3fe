import type { FieldCheck } from './check.ts';
import type { FilterField, FilterFields } from './fields.ts';
import { type FilterAtom, quoted, readFilter, unhealthyTerm } from './parse.ts';

/**
 * Filters have stood in addresses as `q` since before there were comparisons, alternatives, phrases and regular
 * expressions. What such an address means stays: `q` is read by the former rules, `filter` by those of today. Only what
 * both read alike is written as `q`.
 */
export interface FilterSearch {
  readonly q?: string | undefined;
  readonly filter?: string | undefined;
}

/** Words that the former rules and those of today read alike, whatever columns there are. */
const plainWord = /^!?[\p{L}\d._][\p{L}\d._-]*$/u;

/** How a filter stands in the search of an address; both undefined for an empty one. */
export function searchOfFilter(text: string): { q: string | undefined; filter: string | undefined } {
  if (text === '') return { q: undefined, filter: undefined };
  const isPlain = text
    .split(/\s+/)
    .every((term) => term === '' || term === unhealthyTerm || plainWord.test(term));
  return isPlain ? { q: text, filter: undefined } : { q: undefined, filter: text };
}

/** The filter that the search of an address holds, in the language of today; empty without one. */
export const filterOfSearch = ({ q = '', filter }: FilterSearch, fields: FilterFields): string =>
  filter ?? fromFormer(q, fields);

const formerShorts: Readonly<Record<string, string>> = { ns: 'namespace', label: 'labels' };

/** The check of a former `name:text`: a part of the text, or the whole of it where a star stands for anything. */
const partOrWhole = (text: string): FieldCheck => ({ type: text.includes('*') ? 'whole' : 'part', text });

interface Meaning {
  readonly atom: FilterAtom;
  /** Ways to write it today, the first that means it is taken. */
  readonly ways: readonly string[];
}

const fieldAtom = (field: FilterField, check: FieldCheck): FilterAtom => ({
  by: 'field',
  field,
  isNot: false,
  checks: [check],
});

/** What a former term without its exclamation marks asked for. */
function meaningsOf(term: string, fields: FilterFields): readonly Meaning[] {
  const text = term.toLowerCase();
  const word: Meaning = { atom: { by: 'word', text }, ways: [term, quoted(term)] };
  const at = term.indexOf(':');
  if (text === unhealthyTerm || at <= 0 || at === term.length - 1) return [word];
  const name = text.slice(0, at);
  const field = fields.get(formerShorts[name] ?? name);
  const isNamed = field?.id.toLowerCase() === (formerShorts[name] ?? name) && field.sort !== 'health';
  if (!isNamed) return [word];
  const value = term.slice(at + 1);
  if (field.sort === 'labels') {
    const equals = value.indexOf('=');
    const key = equals < 0 ? value : value.slice(0, equals);
    const check: FieldCheck = {
      type: 'label',
      key: key.toLowerCase(),
      value: equals < 0 ? undefined : value.slice(equals + 1).toLowerCase(),
    };
    return [{ atom: fieldAtom(field, check), ways: [term, `${field.name}:${quoted(value)}`] }];
  }
  const check = partOrWhole(value.toLowerCase());
  const starred = `*${value}*`;
  return [
    { atom: fieldAtom(field, check), ways: [term, `${field.name}:${quoted(value)}`] },
    {
      atom: fieldAtom(field, { type: 'whole', text: starred.toLowerCase() }),
      ways: [`${field.name}:${starred}`, `${field.name}:${quoted(starred)}`],
    },
  ];
}

/** Beside other terms it might be read together with them. */
const reachesOn = /"|(?:^|[|:=<>])\//;

/** A former term in the language of today. */
function termFromFormer(term: string, fields: FilterFields): string {
  const marks = /^!*/.exec(term)?.[0] ?? '';
  const rest = term.slice(marks.length);
  if (rest === '' || rest.toLowerCase() === unhealthyTerm) return term;
  for (const { atom, ways } of meaningsOf(rest, fields)) {
    const wanted = JSON.stringify([marks.length % 2 === 1, [atom]]);
    for (const way of ways) {
      if (way === rest && reachesOn.test(way)) continue;
      const [read, ...others] = readFilter(marks + way, fields);
      if (read !== undefined && others.length === 0 && JSON.stringify([read.isNot, read.atoms]) === wanted)
        return marks + way;
    }
  }
  return marks + quoted(rest);
}

/**
 * A filter of the former rules in the language of today. It was: words that must all occur; `column:text` by the column's
 * id, where a star stands for anything; `label:key=value`; and each of these after a `!` for its opposite.
 */
export const fromFormer = (text: string, fields: FilterFields): string =>
  text.replaceAll(/\S+/g, (term) => termFromFormer(term, fields));
