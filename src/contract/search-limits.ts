/** Limits of searches by name: a file without schemas, since the palette opens without them. */

/** Maximum number of objects in a response. */
export const searchLimit = 50;
/** Maximum number of objects that are asked about at once. */
export const goneLimit = 50;
