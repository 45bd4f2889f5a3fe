import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** Maximum number of objects in a request. */
export const usageObjects = 100;
/** Maximum number of samples of an object: ten minutes. */
export const usageSamples = 40;

const numbers = z.array(z.nullable(z.number()));

/** Ids of the kinds whose usage clusters measure. */
export const usageKinds = ['pod', 'node'] as const;
export type UsageKind = (typeof usageKinds)[number];

/** Usage of a kind's objects from while a page showed it, and of whole clusters. */
export const usageEndpoints = {
  usageOf: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/kinds/:kind/usage',
    summary:
      'What pods or nodes used of processor and memory, as sampled while somebody looked at their usage',
    access: { kind: 'view', at: 'handler' },
    reads: true,
    params: z.extend(clusterParams, { kind: z.enum(usageKinds) }),
    body: z.strictObject({
      objects: z
        .array(
          z.strictObject({
            namespace: z._default(z.string().check(z.maxLength(253)), ''),
            name: z.string().check(z.minLength(1), z.maxLength(253)),
          }),
        )
        .check(z.minLength(1), z.maxLength(usageObjects)),
    }),
    response: z.object({
      status: z.enum(['loading', 'live', 'absent', 'forbidden', 'unreachable']),
      /** Why usage is unknown: one sentence. */
      message: z.nullable(z.string()),
      /** Epoch seconds, oldest first. */
      times: z.array(z.number()),
      /** In the order of the request: cores and bytes at these times, null if nothing was measured. */
      objects: z.array(z.object({ cpu: numbers, memory: numbers })),
    }),
  }),
  clusterUsage: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/usage',
    summary:
      'What all nodes together used of processor and memory in the last hour, sampled each minute since somebody opened the cluster',
    // What a cluster uses is the sum of its nodes'.
    access: { permission: 'clusters.view', at: 'cluster' },
    params: clusterParams,
    response: z.object({
      /** Why usage is unknown: one sentence. */
      message: z.nullable(z.string()),
      /** Epoch seconds, oldest first; further apart where the server did not sample. */
      times: z.array(z.number()),
      /** Cores at these times; null if nothing was measured. */
      cpu: numbers,
      /** Bytes at these times. */
      memory: numbers,
    }),
  }),
} as const;
