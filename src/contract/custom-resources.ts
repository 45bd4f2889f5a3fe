import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { kubeObjectSchema } from './objects.ts';

/** The part of a CustomResourceDefinition that pages need, without its schema of often a megabyte. */
export const definitionSchema = z
  .object({
    metadata: z.object({ name: z.string() }),
    spec: z.object({
      group: z.string(),
      scope: z.enum(['Namespaced', 'Cluster']),
      names: z.object({ kind: z.string(), plural: z.string(), shortNames: z.array(z.string()) }),
    }),
  })
  .register(z.globalRegistry, { id: 'CustomResourceDefinition' });
export type Definition = z.infer<typeof definitionSchema>;

const segment = z.string().check(z.minLength(1), z.maxLength(253));
const definitionParams = z.extend(clusterParams, { crdName: segment });
const page = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 500),
  continue: z.optional(z.string().check(z.maxLength(4096))),
});
const objects = z.object({ items: z.array(kubeObjectSchema), continue: z.optional(z.string()) });

/** The specification's calls about custom resources (section 7). */
export const customResourceEndpoints = {
  definitions: endpoint({
    method: 'GET',
    path: '/api/crds/clusters/:clusterId',
    summary: 'The custom resource definitions of a cluster, by name',
    access: { permission: 'clusters.view', at: 'cluster' },
    params: clusterParams,
    response: z.array(definitionSchema),
  }),
  addOns: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/add-ons',
    summary:
      'Ids of the kinds of add-ons, such as KEDA, that a cluster does not serve, and of kinds that the console’s credential may not list there',
    access: 'cluster',
    params: clusterParams,
    response: z.object({ absent: z.array(z.string()), unreadable: z.array(z.string()) }),
  }),
  customObjects: endpoint({
    method: 'GET',
    path: '/api/crds/clusters/:clusterId/:crdName',
    summary: 'A page of the objects of a definition',
    access: { kind: 'view', at: 'namespace' },
    params: definitionParams,
    query: page,
    response: objects,
  }),
  customObjectsIn: endpoint({
    method: 'GET',
    path: '/api/crds/clusters/:clusterId/:crdName/namespaces/:ns',
    summary: 'A page of the objects of a definition in one namespace',
    access: { kind: 'view', at: 'namespace' },
    params: z.extend(definitionParams, { ns: segment }),
    query: page,
    response: objects,
  }),
  customObject: endpoint({
    method: 'GET',
    path: '/api/crds/clusters/:clusterId/:crdName/:name',
    summary: 'One cluster-scoped object of a definition',
    access: { kind: 'view', at: 'namespace' },
    params: z.extend(definitionParams, { name: segment }),
    response: kubeObjectSchema,
  }),
  customObjectIn: endpoint({
    method: 'GET',
    path: '/api/crds/clusters/:clusterId/:crdName/namespaces/:ns/:name',
    summary: 'One object of a definition in its namespace',
    access: { kind: 'view', at: 'namespace' },
    params: z.extend(definitionParams, { ns: segment, name: segment }),
    response: kubeObjectSchema,
  }),
} as const;
