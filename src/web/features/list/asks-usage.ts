import { filterFields } from '../../../registry/filter/fields.ts';
import { filterOfSearch, type FilterSearch } from '../../../registry/filter/former.ts';
import { readFilter } from '../../../registry/filter/parse.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';

/** Whether the filter of a list asks for what its objects use, which a long list does not tell by itself. */
export function asksUsage(search: FilterSearch, { columns }: KindFacts): boolean {
  const joined = new Set(columns.filter(({ join }) => join === 'metrics').map(({ id }) => id));
  if (joined.size === 0 || (search.q ?? search.filter ?? '') === '') return false;
  const fields = filterFields(columns);
  return readFilter(filterOfSearch(search, fields), fields).some(({ atoms }) =>
    atoms.some((atom) => atom.by === 'field' && joined.has(atom.field.id)),
  );
}
