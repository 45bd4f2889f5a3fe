import { layoutParam } from './link.ts';

/** The values of an address's search. They are plain strings: a namespace may be called `true`. */
export type Search = Readonly<Record<string, string>>;

/** Reads `?a=b&c=d`; of several values of one name the last counts. */
export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

/**
 * Characters that the layout's grammar does not leave readable: they are percent-encoded, so that no value can end
 * early.
 */
const unreadable = /[^\w.~()*,/?:@=-]/gu;

/**
 * Writes a search string with its question mark; empty and missing values are left out. The layout comes last and stays
 * readable, as `addressOf` writes it.
 */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const { [layoutParam]: layout, ...values } = search;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string' && value !== '') params.set(name, value);
  }
  const own = params.toString();
  const parts = own === '' ? [] : [own];
  if (typeof layout === 'string' && layout !== '')
    parts.push(`${layoutParam}=${layout.replace(unreadable, encodeURIComponent)}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
