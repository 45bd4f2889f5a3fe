import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

const segment = z.string().check(z.minLength(1), z.maxLength(253));
const releaseParams = z.extend(clusterParams, { namespace: segment, name: segment });
const revisionParams = z.extend(releaseParams, {
  revision: z.coerce.number().check(z.int(), z.positive(), z.maximum(999_999_999)),
});

/** One revision of a Helm release, without values and manifest. */
export const releaseRevisionSchema = z.object({
  revision: z.int(),
  status: z.string(),
  chart: z.string(),
  chartVersion: z.string(),
  appVersion: z.string(),
  /** ISO; null if Helm did not record it. */
  updated: z.nullable(z.string()),
  description: z.string(),
  /** Why it cannot be read; null if it can. */
  problem: z.nullable(z.string()),
});
export type ReleaseRevision = z.infer<typeof releaseRevisionSchema>;

/** The inputs of a revision, as YAML and text. */
export const releaseContentsSchema = z.object({
  revision: z.int(),
  /** The given values. */
  values: z.string(),
  /** The given values merged over the chart's. */
  computed: z.string(),
  manifest: z.string(),
  notes: z.string(),
  hooks: z.array(z.object({ name: z.string(), kind: z.string(), events: z.array(z.string()) })),
});
export type ReleaseContents = z.infer<typeof releaseContentsSchema>;

/** An object of a release on the cluster. */
export const releaseResourceSchema = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z.nullable(z.string()),
  name: z.string(),
  /** Id or name of the kind in this console; null if the cluster does not serve it. */
  kindId: z.nullable(z.string()),
  /** `unknown`: the caller may not view it, or the cluster did not respond. */
  state: z.enum(['there', 'missing', 'unknown']),
  /** The kind's status: label and tone. */
  status: z.nullable(z.tuple([z.string(), z.string()])),
});
export type ReleaseResource = z.infer<typeof releaseResourceSchema>;

const base = '/api/clusters/:clusterId/namespaces/:namespace/releases/:name' as const;

export const releaseEndpoints = {
  releaseHistory: endpoint({
    method: 'GET',
    path: `${base}/history`,
    summary: 'The revisions of a Helm release that are kept, newest first',
    access: { permission: 'namespaces.view', at: 'namespace' },
    params: releaseParams,
    response: z.object({ revisions: z.array(releaseRevisionSchema) }),
  }),
  releaseResources: endpoint({
    method: 'GET',
    path: `${base}/resources`,
    summary:
      'The objects of a Helm release with their status; only names of those that the caller may not view, only the number of those in namespaces that the caller cannot access',
    access: { permission: 'namespaces.view', at: 'namespace' },
    params: releaseParams,
    response: z.object({
      resources: z.array(releaseResourceSchema),
      /** Objects of namespaces, or of the cluster, that the caller does not reach. */
      leftOut: z.int(),
    }),
  }),
  releaseContents: endpoint({
    method: 'GET',
    path: `${base}/revisions/:revision`,
    summary: 'Values, manifest and notes of a revision. Secrets and likely credentials are masked',
    access: { permission: 'secrets.view', at: 'namespace' },
    params: revisionParams,
    response: releaseContentsSchema,
  }),
  revealRelease: endpoint({
    method: 'POST',
    path: `${base}/revisions/:revision/reveal`,
    summary: 'Values, manifest and notes of a revision, with nothing masked. Audited',
    audited: 'reveal the values of a Helm release on {cluster}',
    isRoutine: true,
    access: { permission: 'secrets.view', at: 'namespace' },
    tokens: 'secrets.reveal',
    proof: 'act',
    perMinute: 60,
    params: revisionParams,
    response: releaseContentsSchema,
  }),
} as const;
