import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { permissions } from './permissions.ts';
import { freeTextSchema, nameOfSchema } from './text.ts';

/** Maximum size of a kubeconfig in bytes. */
export const kubeconfigLimit = 256 * 1024;
/** Maximum number of contexts in a batch. */
export const batchLimit = 100;

/** Ids are positive 32-bit integers, as in the store. */
const id = z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647));
/** Path parameters of all calls on one cluster. */
export const clusterParams = z.object({ clusterId: id });

/** The latest known state of a cluster; `unknown` before the first check. */
export const clusterStateSchema = z.object({
  status: z.enum(['unknown', 'reachable', 'unreachable', 'forbidden']),
  /** Kubernetes version, e.g. v1.36.2. */
  version: z.optional(z.string()),
  /** When the state was determined, ISO. */
  checkedAt: z.optional(z.string()),
  /** When the cluster last answered, ISO; absent where it has not since the server started. */
  reachedAt: z.optional(z.string()),
  /** Why the cluster is unreachable, or what its credential lacks: one sentence. */
  message: z.optional(z.string()),
});
export type ClusterState = z.infer<typeof clusterStateSchema>;

/** A cluster's mark, 1 to 8: a colour with a pattern of its own. */
export const colourSchema = z.int().check(z.minimum(1), z.maximum(8));

/** Orders that a person's lists of a cluster may begin with: `-` is descending, and an age grows with time. */
export const firstSorts = ['name', 'namespace', 'age', '-age'] as const;

/** How lists of a cluster begin for a person where nothing else was chosen for them. */
export const listDefaultsSchema = z.object({
  /** Namespaces that are offered before the others, in this order. */
  favouriteNamespaces: z.array(z.string()),
  /** The order of lists that have its column; null for that of each list. */
  sort: z.nullable(z.enum(firstSorts)),
  /** Whether lists begin as wide tables. */
  isWide: z.boolean(),
});
export type ListDefaults = z.infer<typeof listDefaultsSchema>;

/** A cluster as the page shows it; never with its credential. */
export const clusterSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    /** Its origin: a pasted kubeconfig, the embedded playground, or the operator's file. */
    source: z.enum(['kubeconfig', 'playground', 'operator']),
    /** Host and port of the API server; empty for people without `clusters.view`. */
    server: z.string(),
    /** The cluster's mark, 1 to 8 (colour and flag pattern). */
    colour: colourSchema,
    /** What the cluster is for, as its Owners call it; absent without a label. */
    environment: z.optional(z.string()),
    /** Destructive changes ask for the cluster's name. */
    isProtected: z.boolean(),
    /** The console makes no changes at all. */
    isReadOnly: z.boolean(),
    isShellAllowed: z.boolean(),
    isShellRecorded: z.boolean(),
    /** Present where a Prometheus keeps the cluster's usage, so that charts have a history. */
    hasUsageHistory: z.optional(z.literal(true)),
    /** When the stored credential expires, ISO; null if unknown. */
    credentialExpiresAt: z.nullable(z.string()),
    state: clusterStateSchema,
    /** The namespaces that the person's teams reach, by name; absent where they reach the whole cluster. */
    namespaces: z.optional(z.array(z.string())),
    /** The namespaces that the person's views leave out, by name; absent where they leave out none. */
    excludedNamespaces: z.optional(z.array(z.string())),
    /** How the person's lists begin; absent where they never said. */
    defaults: z.optional(listDefaultsSchema),
  })
  .register(z.globalRegistry, { id: 'Cluster' });
export type Cluster = z.infer<typeof clusterSchema>;

/** Why nothing can be changed on a cluster through this console; undefined when it can. */
export function readOnlyReason(cluster: Pick<Cluster, 'name' | 'isReadOnly'>): string | undefined {
  return cluster.isReadOnly
    ? `${cluster.name} is read-only in this console: nothing can be changed there.`
    : undefined;
}

const nameSchema = nameOfSchema('A cluster needs a name.');
/** Input to add a cluster (specification section 3). `context` selects one of several in the file. */
export const clusterInputSchema = z.strictObject({
  name: nameSchema,
  description: z._default(freeTextSchema(1000), ''),
  kubeConfigContent: z.string().check(z.minLength(1, 'Paste a kubeconfig.'), z.maxLength(kubeconfigLimit)),
  context: z.optional(z.string().check(z.maxLength(253))),
});

/** One context of a kubeconfig before it is added. `problem` says why it cannot be added. */
export const contextSchema = z.object({
  name: z.string(),
  cluster: z.string(),
  server: z.string(),
  namespace: z.optional(z.string()),
  isCurrent: z.boolean(),
  credential: z.string(),
  credentialExpiresAt: z.nullable(z.string()),
  problem: z.optional(z.string()),
});
export type KubeconfigContext = z.infer<typeof contextSchema>;

export const clusterEndpoints = {
  clusters: endpoint({
    method: 'GET',
    path: '/api/ClusterManagement/clusters',
    summary: 'The clusters that the caller may view',
    access: 'member',
    tokens: 'scopes',
    response: z.array(clusterSchema),
  }),
  clustersOfUser: endpoint({
    method: 'GET',
    path: '/api/ClusterManagement/clusters/users/:userId',
    summary: 'The clusters that a person of the organisation may view',
    access: 'owner',
    params: z.object({ userId: id }),
    response: z.array(clusterSchema),
  }),
  addCluster: endpoint({
    method: 'POST',
    path: '/api/ClusterManagement/clusters/kubeconfig',
    summary: 'Adds a cluster by kubeconfig, after connecting to it once; a failure says why',
    audited: 'add the cluster {name}',
    access: 'owner',
    proof: 'recent',
    bodyLimit: kubeconfigLimit + 8192,
    perMinute: 60,
    body: clusterInputSchema,
    response: clusterSchema,
  }),
  addClusters: endpoint({
    method: 'POST',
    path: '/api/ClusterManagement/clusters/batch',
    summary: 'Adds several clusters; each succeeds or fails by itself',
    audited: 'add {added} clusters[; {failed} failed]',
    access: 'owner',
    proof: 'recent',
    bodyLimit: 8 * 1024 * 1024,
    perMinute: 20,
    body: z.strictObject({
      clusters: z.array(clusterInputSchema).check(z.minLength(1), z.maxLength(batchLimit)),
    }),
    response: z.object({ results: z.array(clusterSchema), errors: z.array(z.string()) }),
  }),
  /** Parses a kubeconfig without storing it, so that the page can list its contexts. */
  readKubeconfig: endpoint({
    method: 'POST',
    path: '/api/ClusterManagement/clusters/contexts',
    summary: 'Lists the contexts of a kubeconfig, with the reason if one cannot be added; stores nothing',
    audited: 'read the contexts of a kubeconfig',
    isRoutine: true,
    access: 'owner',
    bodyLimit: kubeconfigLimit + 8192,
    perMinute: 60,
    body: z.strictObject({
      kubeConfigContent: z.string().check(z.minLength(1), z.maxLength(kubeconfigLimit)),
    }),
    response: z.object({ contexts: z.array(contextSchema) }),
  }),
  replaceKubeconfig: endpoint({
    method: 'PUT',
    path: '/api/ClusterManagement/clusters/:clusterId/kubeconfig',
    summary: 'Replaces the credential of a cluster; the cluster keeps its id',
    audited: 'replace the credential of the cluster {name|cluster}',
    access: 'owner',
    proof: 'recent',
    params: clusterParams,
    bodyLimit: kubeconfigLimit + 8192,
    perMinute: 60,
    body: z.strictObject({
      kubeConfigContent: z.string().check(z.minLength(1), z.maxLength(kubeconfigLimit)),
      context: z.optional(z.string().check(z.maxLength(253))),
    }),
    response: clusterSchema,
  }),
  deleteCluster: endpoint({
    method: 'DELETE',
    path: '/api/ClusterManagement/clusters/:clusterId',
    summary: 'Removes a cluster from the console; the cluster itself is not touched',
    audited: 'remove the cluster {name|cluster}',
    access: 'owner',
    proof: 'recent',
    params: clusterParams,
    status: 204,
  }),
  clusterState: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/state',
    summary: 'Checks the connection to a cluster now',
    access: 'cluster',
    params: clusterParams,
    response: clusterStateSchema,
  }),
  warmUp: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/warm-up',
    summary: 'Starts to load the lists that the first screens of a cluster show; answers at once',
    access: 'cluster',
    tokens: 'never',
    reads: true,
    perMinute: 60,
    params: clusterParams,
    status: 204,
  }),
  userPermissions: endpoint({
    method: 'GET',
    path: '/api/auth/clusters/:clusterId/user-permissions',
    summary: "The caller's permissions on a cluster, sorted by name",
    access: 'cluster',
    params: clusterParams,
    response: z.array(z.object({ name: z.enum(permissions) })),
  }),
  permissionsOfUser: endpoint({
    method: 'GET',
    path: '/api/auth/clusters/:clusterId/user-permissions/:userId',
    summary: "A person's permissions on a cluster",
    access: 'owner',
    params: z.extend(clusterParams, { userId: id }),
    response: z.array(z.object({ name: z.enum(permissions) })),
  }),
  permissionsOfRole: endpoint({
    method: 'GET',
    path: '/api/auth/clusters/:clusterId/user-role-permissions/:roleId',
    summary: 'The permissions of a team role on a cluster',
    access: 'cluster',
    params: z.extend(clusterParams, { roleId: z.coerce.number().check(z.int()) }),
    response: z.array(z.object({ name: z.enum(permissions) })),
  }),
  allPermissions: endpoint({
    method: 'GET',
    path: '/api/UserManagement/permissions',
    summary: 'Every permission name',
    access: 'member',
    response: z.array(z.object({ name: z.enum(permissions) })),
  }),
} as const;
