import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** Most objects asked about at once. */
export const usageObjects = 100;
/** Samples of each: ten minutes of them. */
export const usageSamples = 40;

const numbers = z.array(z.nullable(z.number()));

/** Ids of the kinds whose usage a cluster measures. */
export const usageKinds = ['pod', 'node'] as const;
export type UsageKind = (typeof usageKinds)[number];

/** What objects of a kind used while anybody looked. */
export const usageEndpoints = {
  usageOf: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/kinds/:kind/usage',
    summary:
      'What pods or nodes used of processor and memory, as sampled while somebody looked at their usage',
    access: { kind: 'view' },
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
      /** Why usage is not known: one sentence. */
      message: z.nullable(z.string()),
      /** Epoch seconds, oldest first. */
      times: z.array(z.number()),
      /** In the order asked: cores and bytes at these times, null where nothing was measured. */
      objects: z.array(z.object({ cpu: numbers, memory: numbers })),
    }),
  }),
} as const;
