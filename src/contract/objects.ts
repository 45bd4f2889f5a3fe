import { z } from 'zod';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** Largest object accepted from a person, in bytes: etcd takes no more in one request. */
export const objectLimit = 1536 * 1024;
/** Most objects one action takes. */
export const refsLimit = 500;

/** The cluster's name, typed: on a protected cluster everything that destroys something asks for it. */
const confirmation = z.string().max(100).optional();
const segment = z.string().min(1).max(253);
/** A kind's id, or `group~version~plural` for kinds without a file (the core group as `core`). */
const kindName = z.string().min(1).max(400);

/** Names an object of a cluster. */
export const refSchema = z.strictObject({
  kind: kindName,
  /** Absent for objects of the cluster. */
  namespace: segment.optional(),
  name: segment,
});
export type Ref = z.infer<typeof refSchema>;

/** The objects of an action, each named once. */
const refsSchema = z
  .array(refSchema)
  .min(1)
  .max(refsLimit)
  .refine(
    (refs) =>
      new Set(refs.map(({ kind, namespace, name }) => JSON.stringify([kind, namespace, name]))).size ===
      refs.length,
    'Name each object once.',
  );

/**
 * A Kubernetes object as it is sent to people: cluster text cleaned, managed fields dropped, the values of a Secret
 * masked.
 */
export const kubeObjectSchema = z.looseObject({
  apiVersion: z.string().optional(),
  kind: z.string().optional(),
  metadata: z.looseObject({ name: z.string().optional() }).optional(),
});

export type ObjectBody = z.infer<typeof kubeObjectSchema>;

const kindParams = clusterParams.extend({ kind: kindName });
const objectParams = kindParams.extend({ name: segment });
const namespaceQuery = z.object({ namespace: segment.optional() });
/** With `dryRun=true` the cluster checks everything and stores nothing. */
const changeQuery = namespaceQuery.extend({ dryRun: z.enum(['true', 'false']).default('false') });

/** What a job would do, before it begins. */
export const jobPlanSchema = z.object({
  /** What happens to what, in order; those of one group together. */
  lines: z.array(
    z.object({
      group: z.string(),
      name: z.string(),
      about: z.string().nullable(),
      tone: z.enum(['ok', 'warn', 'bad', 'info', 'idle']),
    }),
  ),
  /** What people should know besides, whole sentences. */
  notes: z.array(z.string()),
  /** Why it cannot begin as it is asked for; null when it can. */
  blocked: z.string().nullable(),
  /** What changes, as text: values masked. */
  texts: z.object({ before: z.string(), after: z.string() }).optional(),
});
export type JobPlan = z.infer<typeof jobPlanSchema>;

/** What an action did to one object. */
export const outcomeSchema = z.object({
  ref: refSchema,
  ok: z.boolean(),
  /** What happened or why not: one sentence. */
  message: z.string(),
  /** As an HTTP status: 200, or that of the failure. */
  status: z.number().int(),
  /** What it changed, old and new, in a few words: `3 → 5`. */
  change: z.string().optional(),
  /** What was sent to the cluster. */
  requests: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      contentType: z.string().optional(),
      body: z.unknown().optional(),
    }),
  ),
  /** In a dry run: the object as it is, and as it would be; no `after` where it would be gone. */
  before: kubeObjectSchema.optional(),
  after: kubeObjectSchema.optional(),
  /** The object that an action made which leaves its own as it is: the Job of a CronJob. Never in a dry run. */
  created: refSchema.optional(),
  /** The job of the console that it began. */
  job: z.number().int().optional(),
  /** In a dry run of an action that begins a job. */
  plan: jobPlanSchema.optional(),
});
export type Outcome = z.infer<typeof outcomeSchema>;

/** Whether an action can be done on some objects now. */
export const actionStateSchema = z.object({
  id: z.string(),
  /** True when it can be done on any of them, else the reason why not. */
  enabled: z.union([z.literal(true), z.string()]),
});
export type ActionState = z.infer<typeof actionStateSchema>;

/** A revision that an object can be rolled back to. */
export const revisionSchema = z.object({
  revision: z.number().int(),
  isCurrent: z.boolean(),
  createdAt: z.string().nullable(),
  images: z.array(z.string()),
  /** Why it was made, where people said so. */
  cause: z.string().nullable(),
  /** Its pod template, without what controllers add. */
  template: z.unknown(),
});
export type Revision = z.infer<typeof revisionSchema>;

export const objectEndpoints = {
  objects: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/objects',
    summary: 'A page of the objects of a kind',
    access: { kind: 'view' },
    params: kindParams,
    query: namespaceQuery.extend({
      labelSelector: z.string().max(1000).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(500),
      continue: z.string().max(4096).optional(),
    }),
    response: z.object({ items: z.array(kubeObjectSchema), continue: z.string().optional() }),
  }),
  object: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/objects/:name',
    summary: 'One object',
    access: { kind: 'view' },
    params: objectParams,
    query: namespaceQuery,
    response: kubeObjectSchema,
  }),
  createObject: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/kinds/:kind/objects',
    summary: 'Creates an object',
    access: { kind: 'manage' },
    params: kindParams,
    query: changeQuery,
    bodyLimit: objectLimit,
    body: z.strictObject({ object: kubeObjectSchema }),
    response: kubeObjectSchema,
  }),
  patchObject: endpoint({
    method: 'PATCH',
    path: '/api/clusters/:clusterId/kinds/:kind/objects/:name',
    summary: 'Changes an object by JSON merge patch, if it still has the given version',
    access: { kind: 'manage' },
    params: objectParams,
    query: changeQuery,
    bodyLimit: objectLimit,
    body: z.strictObject({
      resourceVersion: z.string().min(1).max(200),
      patch: z.looseObject({}),
      confirm: confirmation,
    }),
    response: kubeObjectSchema,
  }),
  revisions: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/objects/:name/revisions',
    summary: 'The revisions of a workload, newest first, and the pod template it has now',
    access: { kind: 'view' },
    params: objectParams,
    query: namespaceQuery,
    response: z.object({ current: z.unknown(), revisions: z.array(revisionSchema) }),
  }),
} as const;

export const actionEndpoints = {
  availableActions: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/actions',
    summary:
      'Which actions the caller may do on all of these objects, and what keeps one from being done now',
    access: 'cluster',
    reads: true,
    params: clusterParams,
    bodyLimit: 512 * 1024,
    body: z.strictObject({ refs: refsSchema }),
    response: z.object({ actions: z.array(actionStateSchema) }),
  }),
  runAction: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/actions/:actionId',
    summary: 'Does an action on each object; each succeeds or fails by itself',
    access: 'cluster',
    params: clusterParams.extend({ actionId: z.string().min(1).max(100) }),
    bodyLimit: 512 * 1024,
    body: z.strictObject({
      refs: refsSchema,
      args: z.record(z.string().max(100), z.unknown()).default({}),
      dryRun: z.boolean().default(false),
      confirm: confirmation,
    }),
    response: z.object({ outcomes: z.array(outcomeSchema) }),
  }),
} as const;
