import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { kubeObjectSchema } from './objects.ts';

/** Most objects of one kind that are compared, on each side. */
export const comparedLimit = 5_000;

const segment = z.string().check(z.minLength(1), z.maxLength(253));
const cluster = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647));

/** How an object of one list stands to that of the same name in the other. */
export const comparedStates = ['differs', 'left', 'right', 'equal'] as const;
export type ComparedState = (typeof comparedStates)[number];

const comparedSchema = z.object({
  /** Where whole clusters are compared; null where each side is one namespace, and for objects of the cluster. */
  namespace: z.nullable(z.string()),
  name: z.string(),
  /** `left` and `right`: it is only there. */
  state: z.enum(comparedStates),
  /** What differs, by name: `spec.replicas`, `data.password`. Never a value. */
  parts: z.array(z.string()),
});
export type ComparedObject = z.infer<typeof comparedSchema>;

/** Comparing the objects of two places, and two Secrets without their values. */
export const compareEndpoints = {
  compareLists: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/comparison',
    summary: 'Which objects of a kind are missing, differ or are equal in two namespaces or clusters',
    access: { kind: 'view' },
    params: z.extend(clusterParams, { kind: z.string().check(z.minLength(1), z.maxLength(400)) }),
    query: z.object({
      /** A namespace on both sides, or on none: then all of them. */
      namespace: z.optional(segment),
      otherCluster: cluster,
      otherNamespace: z.optional(segment),
      /** Whether statuses are compared as well. */
      status: z._default(z.enum(['true', 'false']), 'false'),
    }),
    perMinute: 30,
    response: z.object({
      /** When the cluster was asked, ISO. */
      readAt: z.string(),
      objects: z.array(comparedSchema),
    }),
  }),
  compareSecrets: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/namespaces/:namespace/secrets/:name/comparison',
    summary: 'Two Secrets with marks in the place of their values: equal ones have the same',
    access: { permission: 'secrets.view' },
    params: z.extend(clusterParams, { namespace: segment, name: segment }),
    query: z.object({ otherCluster: cluster, otherNamespace: segment, otherName: segment }),
    perMinute: 120,
    response: z.object({ left: kubeObjectSchema, right: kubeObjectSchema }),
  }),
} as const;
