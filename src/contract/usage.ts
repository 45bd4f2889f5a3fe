import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import type { HistorySeconds } from './usage-ranges.ts';

/** Maximum number of objects in a request. */
export const usageObjects = 100;
/** Maximum number of samples of an object: ten minutes. */
export const usageSamples = 40;

const numbers = z.array(z.nullable(z.number()));

/** Ids of the kinds whose usage clusters measure. */
export const usageKinds = ['pod', 'node'] as const;
export type UsageKind = (typeof usageKinds)[number];

/** A range by the number of its seconds, as an address has it. */
const rangeSchema = z.enum(['900', '3600', '21600', '86400', '604800'] satisfies `${HistorySeconds}`[]);

const historySchema = z.object({
  /**
   * - `answered`: with figures
   * - `empty`: the source answers, and has nothing of this
   * - `unreachable`, `forbidden`: it gave no answer, or refused one
   * - `unusable`: its answer cannot be read, or is more than the console takes
   * - `none`: the cluster's source of metrics has no history
   */
  status: z.enum(['answered', 'empty', 'unreachable', 'forbidden', 'unusable', 'none']),
  /** What is to be known about the answer, or why there is none: one sentence. */
  message: z.nullable(z.string()),
  /** Distance of the points, s. */
  step: z.number(),
  /** The end of the range, epoch seconds. */
  to: z.number(),
  /** Epoch seconds, oldest first; only of points at which something was measured. */
  times: z.array(z.number()),
  /** Cores at these times; null if nothing was measured. */
  cpu: numbers,
  /** Bytes at these times. */
  memory: numbers,
});
export type StoredHistory = z.infer<typeof historySchema>;

/** Usage of a kind's objects from while a page showed it, and of whole clusters. */
export const usageEndpoints = {
  usageOf: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/kinds/:kind/usage',
    summary: 'CPU and memory usage of pods or nodes, sampled while somebody viewed it',
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
  objectUsageHistory: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/usage/history',
    summary: 'Usage of a pod, a node, or the pods of a workload, from the cluster’s Prometheus',
    access: { kind: 'view', at: 'namespace' },
    perMinute: 300,
    params: z.extend(clusterParams, { kind: z.string().check(z.minLength(1), z.maxLength(253)) }),
    query: z.object({
      namespace: z._default(z.string().check(z.maxLength(253)), ''),
      name: z.string().check(z.minLength(1), z.maxLength(253)),
      seconds: rangeSchema,
    }),
    response: historySchema,
  }),
  clusterUsageHistory: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/usage/history',
    summary:
      'Usage of all nodes of a cluster, for people who may view nodes; usage of the pods in a person’s namespaces, for others',
    access: 'cluster',
    perMinute: 300,
    params: clusterParams,
    query: z.object({
      seconds: rangeSchema,
      /** With the namespaces that the person leaves out of their views. */
      excluded: z.optional(z.literal('shown')),
    }),
    response: z.extend(historySchema, {
      /** What was added up. */
      of: z.enum(['nodes', 'namespaces']),
    }),
  }),
  clusterUsage: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/usage',
    summary:
      'CPU and memory usage of all nodes in the last hour, sampled each minute since somebody opened the cluster',
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
