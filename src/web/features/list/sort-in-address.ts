import type { SortKey } from '../../data/rows/sort-key.ts';

/** In an address: worst first, by people whose lists begin with another order. No column is called so. */
const worstFirst = 'worst';

/** The order that an address and its person ask for. */
export const sortOfSearch = (inSearch: string | undefined, first: SortKey): SortKey =>
  inSearch === worstFirst ? undefined : (inSearch ?? first);

/** What an address says for an order; undefined where it says nothing. */
export const searchOfSort = (sort: SortKey, first: SortKey): string | undefined =>
  sort === undefined && first !== undefined ? worstFirst : sort;
