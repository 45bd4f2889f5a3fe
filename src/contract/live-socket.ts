/** What both ends of the live socket agree on, see `live.ts`: a file without schemas, which the page can do without. */

/** Path of the live socket. */
export const livePath = '/api/live';
/** Version of the protocol that is spoken on it. */
export const liveProtocol = 1;
/** Interval of the server's `beat` messages, ms; a page that receives nothing for 2.5 intervals reconnects. */
export const beatInterval = 15_000;

/**
 * Without a database, what is open goes on for this long, ms; then nothing is sent until rights can be read again. A
 * restart of the database takes less, and rights that expire or are taken elsewhere must not stay for longer.
 */
export const storeGrace = 5 * 60_000;

/** WebSocket close codes of the live socket. */
export const liveClose = {
  /** The session ended: sign in again. */
  signedOut: 4401,
  /** The server is shutting down: reconnect soon. */
  restart: 1012,
  /** The page exceeded the bounded queue even after a new snapshot: reconnect. */
  lagging: 4408,
} as const;
