/** Constants of one page's socket; times in ms, sizes in bytes. */
export const pageLimits = {
  subscriptions: 100,
  /** More than this unsent: the page lags, what is pending is dropped. */
  highWater: 4 * 1024 * 1024,
  /** Less than this unsent: it has caught up and gets fresh snapshots. */
  lowWater: 256 * 1024,
  /** A lagging page must catch up within this, and not lag again within this. */
  patience: 30_000,
  /** Messages a page may send at once, and again per second. */
  burst: 400,
  perSecond: 50,
  /** A page that is not heard of for this long (not even a pong) is gone. */
  silence: 45_000,
  /** A close that the page does not answer is forced after this. */
  closing: 2_000,
  /** Grants that could not be read are read again after this; nothing is sent meanwhile. */
  recheck: 2_000,
} as const;
