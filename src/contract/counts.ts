import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** Numbers of objects, for places that follow no list. */
export const countEndpoints = {
  counts: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/counts',
    summary:
      'Number of objects of each kind that the caller may view in a cluster; kinds that cannot be counted are left out',
    access: 'cluster',
    // Each namespace costs the cluster a request for each kind and minute.
    perMinute: 60,
    params: clusterParams,
    query: z.object({
      /** Of kinds that have namespaces, only what is in this one. */
      namespace: z.optional(z.string().check(z.minLength(1), z.maxLength(253))),
    }),
    response: z.object({
      /** Counts by kind id, at most a minute old. */
      counts: z.record(z.string(), z.int().check(z.nonnegative())),
      /** Why counts are missing, where the cluster did not answer: one sentence. */
      message: z.optional(z.string()),
    }),
  }),
} as const;
