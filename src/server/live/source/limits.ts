/** Constants of the list and watch loop; times in ms. */
export const reflectorLimits = {
  pageSize: 500,
  /** One page of a list must be complete within this. */
  pageTimeout: 60_000,
  /** Lists begun anew in pages because the page token expired; the next one asks for all that is held at once. */
  pagedTries: 3,
  /** More objects than this are refused rather than held. */
  objects: 200_000,
  /** More than this of one list is refused as well: what its rows take in memory, bytes. */
  bytes: 256 * 1024 * 1024,
  /** A cluster may hand out smaller pages than were asked for, but not without end. */
  pages: 4_000,
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
  /** The same while somebody has the cluster open. */
  backoffWatched: 3_000,
  /**
   * A resumed watch that says nothing but events for this long is live: an API server that no longer has the version
   * says so at once, and sends what was missed at once.
   */
  proof: 300,
  /** A watch that lived this long counts as recovered: proxies end watches after seconds. */
  steady: 1_000,
  /** Pause before a watch that ended sooner than this is opened again: less than what is called reconnecting. */
  shortWatch: 5_000,
  shortWatchPause: 250,
  /** Where a watch is not answered within this, the list is shown as one that is read at intervals. */
  withheld: 4_000,
  /** Watches in a row that opened but brought nothing usable, before their version is no longer trusted. */
  resumeTries: 5,
  /** Lists in a row whose watch could not be opened, before they are read as seldom as those that cannot be watched. */
  unwatchedTries: 4,
  denied: 30_000,
  /** A list that cannot be watched is read this often. */
  polled: 30_000,
  /** A resource that is not served is asked for again after this, twice as long each time, up to `absent`. */
  absentFirst: 2_000,
  absent: 60_000,
  /** Retry on demand at most this often. */
  retryEvery: 1_000,
  /** Longest line of a watch, in characters; etcd holds objects of 1.5 MB. */
  line: 8_000_000,
} as const;
