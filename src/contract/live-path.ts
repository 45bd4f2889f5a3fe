/**
 * Path of the live socket, see `live.ts`. A file of its own, for code that runs before the rest of the page has loaded.
 */
export const livePath = '/api/live';
