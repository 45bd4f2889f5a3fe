import type { DataPort } from './port.ts';

/** Where people help each other, if this installation names a place. */
export function helpUrlOf({
  queryClient,
  queries,
}: Pick<DataPort, 'queryClient' | 'queries'>): string | undefined {
  const url = queryClient.getQueryData(queries.config.queryKey)?.helpUrl;
  return url != null && /^https?:/.test(url) ? url : undefined;
}
