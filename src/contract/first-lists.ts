/** Id of the element in the page's HTML that holds `FirstLists` as JSON. */
export const firstListsId = 'first-lists';

/** What asking for the list of a kind takes, before the code of the kinds is there. */
export interface FirstList {
  /** Id of the kind. */
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** For kinds without an end: only the first `limit` rows by this column. */
  readonly window?: { readonly sort: string; readonly limit: number };
}

/** The lists of all kinds with a file, by their path below `/clusters/:clusterId/`. */
export type FirstLists = Readonly<Record<string, FirstList>>;
