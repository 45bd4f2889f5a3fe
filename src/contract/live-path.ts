/** Address of the live socket, see `live.ts`. On its own, for what a page runs before the rest of it is there. */
export const livePath = '/api/live';
