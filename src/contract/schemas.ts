import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** Schemas that a cluster publishes for its kinds. */
export const schemaEndpoints = {
  kindSchema: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/schema',
    summary: 'The JSON schema of a kind from the cluster’s own OpenAPI, for hints in an editor',
    access: { kind: 'view', at: 'any' },
    params: z.extend(clusterParams, { kind: z.string().check(z.minLength(1), z.maxLength(400)) }),
    /** The version of the manifest; by default the one that the console uses. */
    query: z.object({
      version: z.optional(z.string().check(z.maxLength(63), z.regex(/^[a-z][a-z0-9]*$/))),
    }),
    perMinute: 240,
    /** Null if the cluster has none. */
    response: z.object({ schema: z.nullable(z.record(z.string(), z.unknown())) }),
  }),
} as const;
