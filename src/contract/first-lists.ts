/** Id of the element in the page's HTML that holds `FirstLists` as JSON. */
export const firstListsId = 'first-lists';

/** What a page needs to subscribe to the list of a kind before the code of the kinds has loaded. */
export interface FirstList {
  /** Id of the kind. */
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** For unbounded kinds: only the first `limit` rows by this column. */
  readonly window?: { readonly sort: string; readonly limit: number };
}

/** A list that an address asks for. */
export interface AddressedList extends FirstList {
  readonly clusterId: number;
}

/** The lists of all kinds with a file, by path below `/clusters/:clusterId/`. */
export type FirstLists = Readonly<Record<string, FirstList>>;

/** The list at an address of the page; undefined for an address of something else. */
export function firstListAt(pathname: string, lists: FirstLists): AddressedList | undefined {
  const [, cluster, place = ''] = /^\/clusters\/([1-9]\d{0,8})\/(.+)$/.exec(pathname) ?? [];
  const list = Object.hasOwn(lists, place) ? lists[place] : undefined;
  return cluster === undefined || list === undefined ? undefined : { ...list, clusterId: Number(cluster) };
}
