import { z } from 'zod';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { kubeObjectSchema } from './objects.ts';

/** A CustomResourceDefinition as far as pages need it: the rest of one is mostly its schema, often a megabyte. */
export const definitionSchema = z
  .object({
    metadata: z.object({ name: z.string() }),
    spec: z.object({
      group: z.string(),
      scope: z.enum(['Namespaced', 'Cluster']),
      names: z.object({ kind: z.string(), plural: z.string(), shortNames: z.array(z.string()) }),
    }),
  })
  .meta({ id: 'CustomResourceDefinition' });
export type Definition = z.infer<typeof definitionSchema>;

const segment = z.string().min(1).max(253);
const definitionParams = clusterParams.extend({ crdName: segment });
const page = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(500),
  continue: z.string().max(4096).optional(),
});
const objects = z.object({ items: z.array(kubeObjectSchema), continue: z.string().optional() });

/** The specification's calls for custom resources (section 7). */
export const customResourceEndpoints = {
  definitions: endpoint({
    method: 'GET',
    path: '/api/crds/clusters/:clusterId',
    summary: 'The custom resource definitions of a cluster, by name',
    access: { permission: 'clusters.view' },
    params: clusterParams,
    response: z.array(definitionSchema),
  }),
  addOns: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/add-ons',
    summary: 'Ids of the kinds of add-ons, as KEDA is one, that a cluster does not serve',
    access: 'cluster',
    params: clusterParams,
    response: z.object({ absent: z.array(z.string()) }),
  }),
  customObjects: endpoint({
    method: 'GET',
    path: '/api/crds/clusters/:clusterId/:crdName',
    summary: 'A page of the objects of a definition',
    access: { kind: 'view' },
    params: definitionParams,
    query: page,
    response: objects,
  }),
  customObjectsIn: endpoint({
    method: 'GET',
    path: '/api/crds/clusters/:clusterId/:crdName/namespaces/:ns',
    summary: 'A page of the objects of a definition in one namespace',
    access: { kind: 'view' },
    params: definitionParams.extend({ ns: segment }),
    query: page,
    response: objects,
  }),
  customObject: endpoint({
    method: 'GET',
    path: '/api/crds/clusters/:clusterId/:crdName/:name',
    summary: 'One object of a definition whose objects belong to no namespace',
    access: { kind: 'view' },
    params: definitionParams.extend({ name: segment }),
    response: kubeObjectSchema,
  }),
  customObjectIn: endpoint({
    method: 'GET',
    path: '/api/crds/clusters/:clusterId/:crdName/namespaces/:ns/:name',
    summary: 'One object of a definition in its namespace',
    access: { kind: 'view' },
    params: definitionParams.extend({ ns: segment, name: segment }),
    response: kubeObjectSchema,
  }),
} as const;
