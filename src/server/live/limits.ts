/** Constants of the list and watch loop; times in ms. */
export const reflectorLimits = {
  pageSize: 500,
  /** One page of a list must be complete within this. */
  pageTimeout: 60_000,
  /** Lists begun anew in pages because the page token expired; the next one asks for everything at once. */
  pagedTries: 3,
  /** More objects than this are refused rather than held. */
  objects: 200_000,
  /** A watch lasts this long, jittered, so that watches do not all end together. */
  watchShortest: 240_000,
  watchLongest: 360_000,
  /** Bookmarks come about every minute: a stream that says nothing for this long is dead. */
  silence: 90_000,
  /** A planned renewal or an invisible relist may take this long before it is called reconnecting. */
  renewal: 1_000,
  staleAfter: 15_000,
  backoffFirst: 250,
  backoffLongest: 30_000,
  /** A watch that lived this long counts as recovered. */
  steady: 5_000,
  /** Watches in a row that opened but brought nothing usable, before their version is no longer trusted. */
  resumeTries: 5,
  denied: 30_000,
  absent: 60_000,
  /** Retry on demand at most this often. */
  retryEvery: 1_000,
  /** Longest line of a watch, in characters; etcd holds objects of 1.5 MB. */
  line: 8_000_000,
} as const;
