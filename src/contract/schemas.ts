import { z } from 'zod';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** What a cluster says of its own kinds. */
export const schemaEndpoints = {
  kindSchema: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/schema',
    summary: 'The JSON schema of a kind from the cluster’s own OpenAPI, for hints in an editor',
    access: { kind: 'view' },
    params: clusterParams.extend({ kind: z.string().min(1).max(400) }),
    /** The version that is written; without it the one that the console uses. */
    query: z.object({
      version: z
        .string()
        .max(63)
        .regex(/^[a-z][a-z0-9]*$/)
        .optional(),
    }),
    perMinute: 240,
    /** Null where the cluster has none. */
    response: z.object({ schema: z.record(z.string(), z.unknown()).nullable() }),
  }),
} as const;
