import type { SavedFilter } from '../../../contract/filters.ts';
import type { Act, Entry } from './entries.ts';

/** Saved filters as entries. @param act what choosing one does */
export const filterEntries = (
  filters: readonly SavedFilter[],
  act: (name: string, place: string) => Act,
): readonly Entry[] =>
  filters.map(({ name, place }) => ({
    id: `filter ${name}`,
    section: 'Saved filters',
    title: name,
    note: noteOf(place),
    icon: 'search',
    act: act(name, place),
  }));

/** The list and its filter, as people read them: `pods · is:unhealthy · in shop`. */
function noteOf(place: string): string {
  const at = place.indexOf('?');
  const search = new URLSearchParams(at < 0 ? '' : place.slice(at + 1));
  const namespace = search.get('ns');
  return [
    at < 0 ? place : place.slice(0, at),
    search.get('filter') ?? search.get('q') ?? '',
    namespace === null ? '' : `in ${namespace}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
