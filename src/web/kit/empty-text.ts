/** How far something is that a list is made of. */
interface Reading {
  readonly data?: unknown;
  readonly isFetching: boolean;
  readonly isError: boolean;
}

/**
 * The text of an empty list of choices.
 * @param none said where there is nothing, or nothing that was searched for
 * @param failed said where it could not be read
 */
export function emptyTextOf({ data, isFetching, isError }: Reading, none: string, failed: string): string {
  if (data !== undefined) return none;
  return isError && !isFetching ? failed : 'Loading...';
}
