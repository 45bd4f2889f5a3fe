import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { goneLimit, searchLimit } from './search-limits.ts';

/** An object found by name, with no more data than its list shows. */
export const searchHitSchema = z.object({
  clusterId: z.int(),
  /** A kind's id, or the resource key of a kind without a file. */
  kind: z.string(),
  /** The Kubernetes kind, e.g. `Deployment`. */
  kindName: z.string(),
  /** Absent for cluster-scoped objects. */
  namespace: z.optional(z.string()),
  name: z.string(),
  /** Label and tone, if the console currently watches objects of this kind. */
  status: z.optional(z.tuple([z.string(), z.string()])),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

export const searchResultSchema = z.object({
  /** Best first. */
  hits: z.array(searchHitSchema),
  /** Number of objects found, of which `hits` are the best. */
  total: z.int(),
  /** Number of clusters they are in. */
  clusters: z.int(),
  /** Objects that the same words find in namespaces which the caller leaves out of their views. */
  excluded: z.int(),
  /** The index of a cluster is still loading: ask again in a moment. */
  isReading: z.boolean(),
  /** Number of clusters of which not all names are read yet. */
  notSearched: z.int(),
  /** Where names could not be read, one sentence each. */
  notes: z.array(z.string()),
});
export type SearchResult = z.infer<typeof searchResultSchema>;

/** A custom resource of a cluster without a kind file in this console. */
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

const askedObjectSchema = z.strictObject({
  clusterId: id,
  /** A kind's id, or the resource key of a kind without a file. */
  kind: z.string().check(z.minLength(1), z.maxLength(400)),
  /** Empty for cluster-scoped objects. */
  namespace: z._default(z.string().check(z.maxLength(253)), ''),
  name: z.string().check(z.minLength(1), z.maxLength(253)),
});
export type AskedObject = z.infer<typeof askedObjectSchema>;

export const searchEndpoints = {
  search: endpoint({
    method: 'GET',
    path: '/api/search',
    summary: 'Objects by name, of every kind and in every cluster that the caller may view, best match first',
    access: 'member',
    tokens: 'scopes',
    // One request for each key of a fast typist, fourteen a second.
    perMinute: 1_200,
    supersededBy: 'palette',
    query: z.object({
      /** Words in any order; an empty query finds everything. */
      q: z._default(z.string().check(z.maxLength(200)), ''),
      /** Only this cluster. */
      cluster: z.optional(id),
      /** Only these kinds, comma-separated. */
      kinds: z.optional(z.string().check(z.maxLength(4_000))),
      /** Only namespaces with this name. */
      namespace: z.optional(z.string().check(z.minLength(1), z.maxLength(253))),
      /** Also in the namespaces that the caller leaves out of their views. */
      excluded: z.optional(z.literal('shown')),
      /** Among equal scores, objects in this cluster and namespace come first. */
      near: z.optional(id),
      nearNamespace: z.optional(z.string().check(z.maxLength(253))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(searchLimit)), searchLimit),
      /** Names a palette: a search ends the earlier ones of the same palette. */
      palette: z.optional(z.string().check(z.regex(/^[\w-]{1,40}$/))),
    }),
    response: searchResultSchema,
  }),
  goneObjects: endpoint({
    method: 'POST',
    path: '/api/search/gone',
    summary:
      'Which of the given objects no longer exist, among those that the caller may view and whose lists are loaded',
    access: 'member',
    reads: true,
    perMinute: 240,
    body: z.strictObject({
      objects: z.array(askedObjectSchema).check(z.minLength(1), z.maxLength(goneLimit)),
    }),
    response: z.object({
      /** Their places in the request, ascending. Of an object that is not named nothing is said. */
      gone: z.array(z.int()),
      /** Some of their names are still being read: ask again in a moment. */
      isReading: z.boolean(),
    }),
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
