import { z } from 'zod';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** Most objects one answer names. */
export const searchLimit = 50;

/** An object found by its name. Never more of it than its lists show. */
export const searchHitSchema = z.object({
  clusterId: z.number().int(),
  /** A kind's id, or the resource key of one without a file. */
  kind: z.string(),
  /** Kubernetes' own name of the kind, e.g. `Deployment`. */
  kindName: z.string(),
  /** Absent for objects of the cluster. */
  namespace: z.string().optional(),
  name: z.string(),
  /** Label and tone, where the console watches objects of this kind at the moment. */
  status: z.tuple([z.string(), z.string()]).optional(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

export const searchResultSchema = z.object({
  /** Best first. */
  hits: z.array(searchHitSchema),
  /** Objects found in all, of which `hits` are the best. */
  total: z.number().int(),
  /** Clusters they are in. */
  clusters: z.number().int(),
  /** Names are still being read from a cluster: ask again in a moment. */
  isReading: z.boolean(),
  /** Where names could not be read, one sentence each. */
  notes: z.array(z.string()),
});
export type SearchResult = z.infer<typeof searchResultSchema>;

/** A resource of a cluster that has no kind of its own in this console: definitions make them. */
export const searchKindSchema = z.object({
  /** Name of the kind: `crd:plural.group`. */
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  group: z.string(),
  plural: z.string(),
  scope: z.enum(['Namespaced', 'Cluster']),
  aliases: z.array(z.string()),
});
export type SearchKind = z.infer<typeof searchKindSchema>;

const searchKindsSchema = z.object({ kinds: z.array(searchKindSchema), isReading: z.boolean() });
export type SearchKinds = z.infer<typeof searchKindsSchema>;

const id = clusterParams.shape.clusterId;

export const searchEndpoints = {
  search: endpoint({
    method: 'GET',
    path: '/api/search',
    summary: 'Objects by name, of every kind the caller may view in every cluster they may see, best first',
    access: 'member',
    // Each key of a fast typist asks once: fourteen a second.
    perMinute: 1_200,
    query: z.object({
      /** Words in any order; none finds everything. */
      q: z.string().max(200).default(''),
      /** Only this cluster. */
      cluster: id.optional(),
      /** Only these kinds, separated by commas. */
      kinds: z.string().max(4_000).optional(),
      /** Only namespaces with this name. */
      namespace: z.string().min(1).max(253).optional(),
      /** What lies in this cluster, and there in this namespace, comes first among equals. */
      near: id.optional(),
      nearNamespace: z.string().max(253).optional(),
      limit: z.coerce.number().int().min(1).max(searchLimit).default(searchLimit),
    }),
    response: searchResultSchema,
  }),
  searchKinds: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/search/kinds',
    summary: 'The custom resources of a cluster that the caller may view',
    access: 'cluster',
    params: clusterParams,
    response: searchKindsSchema,
  }),
} as const;
