import { firstFacts } from './first-facts.ts';

/** What asking for the list of a kind takes, before the page knows any kinds. */
export interface FirstList {
  /** Id of the kind. */
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** For kinds without an end: only the first `limit` rows by this column. */
  readonly window?: { readonly sort: string; readonly limit: number };
}

/** Where the list of a kind is, within its cluster: the path without `/clusters/:clusterId/`. */
const placeOf = (path: string) => path.replace('/clusters/:clusterId/', '');

/**
 * The lists of all kinds with a file, by their place within a cluster. The build of the page evaluates this module and puts
 * its value in its place.
 */
export const firstLists: Readonly<Record<string, FirstList>> = Object.fromEntries(
  firstFacts.map(({ id, scope, paths, window }): [string, FirstList] => [
    placeOf(paths.list),
    { kind: id, isNamespaced: scope === 'Namespaced', ...(window === undefined ? {} : { window }) },
  ]),
);
