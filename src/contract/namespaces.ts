import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** A namespace in the specification's calls. */
export const namespaceSchema = z
  .object({
    name: z.string(),
    labels: z.record(z.string(), z.string()),
    status: z.string(),
    createdAt: z.nullable(z.string()),
  })
  .register(z.globalRegistry, { id: 'Namespace' });
export type Namespace = z.infer<typeof namespaceSchema>;

const label = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
/** A namespace's name by Kubernetes' rule (RFC 1123 label). */
export const dnsLabelPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** A namespace's name by Kubernetes' rule (RFC 1123 label). */
export const namespaceNameSchema = z
  .string()
  .check(
    z.maxLength(63),
    z.regex(
      dnsLabelPattern,
      'A namespace name has lower-case letters, digits and hyphens, and starts and ends with a letter or digit.',
    ),
  );

export const namespaceEndpoints = {
  namespaces: endpoint({
    method: 'GET',
    path: '/api/namespaces/clusters/:clusterId/namespaces',
    summary: 'The namespaces of a cluster, by name',
    access: { permission: 'namespaces.view', at: 'handler' },
    params: clusterParams,
    response: z.array(namespaceSchema),
  }),
  namespace: endpoint({
    method: 'GET',
    path: '/api/namespaces/clusters/:clusterId/namespaces/:name',
    summary: 'One namespace',
    access: { permission: 'namespaces.view', at: 'handler' },
    params: z.extend(clusterParams, { name: z.string().check(z.minLength(1), z.maxLength(253)) }),
    response: namespaceSchema,
  }),
  createNamespace: endpoint({
    method: 'POST',
    path: '/api/namespaces/clusters/:clusterId/namespaces',
    summary: 'Creates a namespace with labels',
    audited: 'create the namespace {namespace} on {cluster}',
    access: { permission: 'resources.manage', at: 'cluster' },
    params: clusterParams,
    body: z.strictObject({
      name: namespaceNameSchema,
      labels: z._default(
        z.record(
          z.string().check(z.minLength(1), z.maxLength(317)),
          z.string().check(z.maxLength(63), z.regex(label, 'That is not a label value.')),
        ),
        {},
      ),
    }),
    response: namespaceSchema,
  }),
} as const;
