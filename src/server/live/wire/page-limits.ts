/** Constants of one page's socket; times in ms, sizes in bytes. */
export const pageLimits = {
  subscriptions: 100,
  /** With more than this unsent the page is behind: what changes is collected instead of sent. */
  highWater: 1024 * 1024,
  /** With at most this unsent it has caught up. */
  lowWater: 256 * 1024,
  /** A page that is behind for this long is closed. */
  patience: 30_000,
  /** Messages a page may send at once, and again per second. */
  burst: 400,
  perSecond: 50,
  /** A page that sends nothing for this long, not even a pong, is gone. */
  silence: 45_000,
  /** A close that the page does not answer is forced after this. */
  closing: 2_000,
  /** Grants that could not be read are read again after this; nothing is sent meanwhile. */
  recheck: 2_000,
} as const;
