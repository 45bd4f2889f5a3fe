/** A log that is read page by page, as a query of pages gives it. */
export interface PagedLog {
  /** Any of it is being read, the known pages anew as well. */
  readonly isFetching: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: (options: { readonly cancelRefetch: false }) => Promise<unknown>;
  readonly refetch: () => Promise<unknown>;
}

/**
 * Reads the next page, once what is known has been read anew where that is under way: by itself the library would give
 * that up, and count what is shown as up to date.
 */
export async function readOlder(
  log: Pick<PagedLog, 'isFetching' | 'isFetchingNextPage' | 'fetchNextPage'>,
): Promise<void> {
  const isReadAnew = log.isFetching && !log.isFetchingNextPage;
  // While anything is being read this only waits for it.
  await log.fetchNextPage({ cancelRefetch: false });
  if (isReadAnew) await log.fetchNextPage({ cancelRefetch: false });
}

/** Reads again what failed: the next page alone, or all that is known. */
export async function readAgain(
  log: Pick<PagedLog, 'isFetchNextPageError' | 'fetchNextPage' | 'refetch'>,
): Promise<void> {
  await (log.isFetchNextPageError ? log.fetchNextPage({ cancelRefetch: false }) : log.refetch());
}
