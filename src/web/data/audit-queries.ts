import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AuditFilter } from '../../contract/audit.ts';
import type { RecordingFilter } from '../../contract/recordings.ts';
import type { ApiClient } from './client.ts';

/** How often the progress of the audit's stream is asked for (ms). */
const streamInterval = 3_000;

/** Keys and fetchers of the audit and of recorded shells: a part of `createQueries`. */
export function auditQueries(api: ApiClient) {
  return {
    /** Entries of the audit, page by page. All of it is invalidated as one. */
    audit: (filter: AuditFilter) =>
      infiniteQueryOptions({
        queryKey: ['audit', 'entries', filter],
        staleTime: 5_000,
        initialPageParam: '',
        queryFn: ({ signal, pageParam }) =>
          api.audit({ query: { ...filter, ...(pageParam === '' ? {} : { after: pageParam }) } }, { signal }),
        getNextPageParam: ({ next }) => next ?? undefined,
      }),
    /** Recorded shells, page by page. */
    recordings: (filter: RecordingFilter) =>
      infiniteQueryOptions({
        queryKey: ['recordings', filter],
        staleTime: 5_000,
        initialPageParam: '',
        queryFn: ({ signal, pageParam }) =>
          api.recordings(
            { query: { ...filter, ...(pageParam === '' ? {} : { after: pageParam }) } },
            { signal },
          ),
        getNextPageParam: ({ next }) => next ?? undefined,
      }),
    auditSettings: queryOptions({
      queryKey: ['audit', 'settings'],
      queryFn: ({ signal }) => api.auditSettings({}, { signal }),
    }),
    /** Where the audit is sent and how far; asked for again while it is sent somewhere. */
    auditStream: queryOptions({
      queryKey: ['audit', 'stream'],
      queryFn: ({ signal }) => api.auditStream({}, { signal }),
      refetchInterval: ({ state }) => (state.data?.stream == null ? false : streamInterval),
    }),
  };
}
