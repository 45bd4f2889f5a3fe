import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { kubeObjectSchema } from './objects.ts';

/** Maximum number of objects of one kind on each side of a comparison. */
export const comparedLimit = 5_000;

const segment = z.string().check(z.minLength(1), z.maxLength(253));
const cluster = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647));

/** How an object of one list compares to the one with the same name in the other. */
export const comparedStates = ['differs', 'left', 'right', 'equal'] as const;
export type ComparedState = (typeof comparedStates)[number];

const comparedSchema = z.object({
  /** Set when whole clusters are compared; null for a comparison of two namespaces and for cluster-scoped objects. */
  namespace: z.nullable(z.string()),
  name: z.string(),
  /** `left` and `right`: exists on that side only. */
  state: z.enum(comparedStates),
  /** Names of the parts that differ: `spec.replicas`, `data.password`. Never values. */
  parts: z.array(z.string()),
});
export type ComparedObject = z.infer<typeof comparedSchema>;

/** Comparison of the objects of two places, and of two Secrets without their values. */
export const compareEndpoints = {
  compareLists: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/comparison',
    summary: 'Which objects of a kind are missing, differ or are equal in two namespaces or clusters',
    audited: 'compare objects on {cluster}',
    isRoutine: true,
    access: { kind: 'view', at: 'namespace' },
    params: z.extend(clusterParams, { kind: z.string().check(z.minLength(1), z.maxLength(400)) }),
    query: z.object({
      /** A namespace for both sides, or for neither to compare all namespaces. */
      namespace: z.optional(segment),
      otherCluster: cluster,
      otherNamespace: z.optional(segment),
      /** Whether to compare statuses as well. */
      status: z._default(z.enum(['true', 'false']), 'false'),
      /** With the namespaces that the person leaves out of their views; one that is named is compared anyway. */
      excluded: z.optional(z.literal('shown')),
    }),
    perMinute: 30,
    response: z.object({
      /** When the cluster was read, ISO. */
      readAt: z.string(),
      objects: z.array(comparedSchema),
    }),
  }),
  compareSecrets: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/namespaces/:namespace/secrets/:name/comparison',
    summary: 'Two Secrets with marks in place of their values; equal values have equal marks',
    audited: 'compare Secrets on {cluster}',
    isRoutine: true,
    access: { permission: 'secrets.view', at: 'namespace' },
    params: z.extend(clusterParams, { namespace: segment, name: segment }),
    query: z.object({ otherCluster: cluster, otherNamespace: segment, otherName: segment }),
    perMinute: 120,
    response: z.object({ left: kubeObjectSchema, right: kubeObjectSchema }),
  }),
} as const;
