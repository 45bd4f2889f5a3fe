import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** Maximum size of an object from a person in bytes: etcd accepts no more in a request. */
export const objectLimit = 1536 * 1024;
/** Maximum number of objects of an action. */
export const refsLimit = 500;

/** The cluster's name, typed by the person: asked for on a protected cluster by what ends pods or destroys something. */
export const confirmation = z.optional(
  z.string().check(z.maxLength(100)).register(z.globalRegistry, {
    description:
      'The name of the cluster, typed. Without it a protected cluster answers 409 to calls that end pods or delete objects; the Problem names this field in its issues. A dry run does not need it.',
  }),
);
const segment = z.string().check(z.minLength(1), z.maxLength(253));
/** A kind's id, or `group~version~plural` for kinds without a file (the core group as `core`). */
const kindName = z.string().check(z.minLength(1), z.maxLength(400));

/** Identifies an object of a cluster. */
export const refSchema = z.strictObject({
  kind: kindName,
  /** Absent for cluster-scoped objects. */
  namespace: z.optional(segment),
  name: segment,
});
export type Ref = z.infer<typeof refSchema>;

/** The objects of an action without duplicates. */
const refsSchema = z.array(refSchema).check(
  z.minLength(1),
  z.maxLength(refsLimit),
  z.refine(
    (refs) =>
      new Set(refs.map(({ kind, namespace, name }) => JSON.stringify([kind, namespace, name]))).size ===
      refs.length,
    'Name each object once.',
  ),
);

/** A Kubernetes object for people: cluster text cleaned, managed fields removed, the values of a Secret masked. */
export const kubeObjectSchema = z.looseObject({
  apiVersion: z.optional(z.string()),
  kind: z.optional(z.string()),
  metadata: z.optional(z.looseObject({ name: z.optional(z.string()) })),
});

export type ObjectBody = z.infer<typeof kubeObjectSchema>;

const kindParams = z.extend(clusterParams, { kind: kindName });
const objectParams = z.extend(kindParams, { name: segment });
const namespaceQuery = z.object({ namespace: z.optional(segment) });
/** With `dryRun=true` the cluster validates everything and stores nothing. */
const changeQuery = z.extend(namespaceQuery, { dryRun: z._default(z.enum(['true', 'false']), 'false') });

/** What a job would do. */
export const jobPlanSchema = z.object({
  /** The planned steps in order, grouped. */
  lines: z.array(
    z.object({
      group: z.string(),
      name: z.string(),
      about: z.nullable(z.string()),
      tone: z.enum(['ok', 'warn', 'bad', 'info', 'idle']),
    }),
  ),
  /** Further notes, whole sentences. */
  notes: z.array(z.string()),
  /** Why the job cannot start as requested; null if it can. */
  blocked: z.nullable(z.string()),
  /** What changes, as text with masked values. */
  texts: z.optional(z.object({ before: z.string(), after: z.string() })),
});
export type JobPlan = z.infer<typeof jobPlanSchema>;

/** The result of an action on one object. */
export const outcomeSchema = z.object({
  ref: refSchema,
  ok: z.boolean(),
  /** The result or the failure: one sentence. */
  message: z.string(),
  /** An HTTP status: 200, or that of the failure. */
  status: z.int(),
  /** The change in short, old and new: `3 → 5`. */
  change: z.optional(z.string()),
  /** The object was asked to go, and is still there: its containers end, or a finalizer holds it. */
  isPending: z.optional(z.literal(true)),
  /** The requests sent to the cluster. */
  requests: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      contentType: z.optional(z.string()),
      body: z.optional(z.unknown()),
    }),
  ),
  /** In a dry run: the object before and after; no `after` if it would be deleted. */
  before: z.optional(kubeObjectSchema),
  after: z.optional(kubeObjectSchema),
  /** The object that the action created, if it leaves its own unchanged: the Job of a CronJob. Never in a dry run. */
  created: z.optional(refSchema),
  /** The console's job that the action started. */
  job: z.optional(z.int()),
  /** In a dry run of an action that starts a job. */
  plan: z.optional(jobPlanSchema),
});
export type Outcome = z.infer<typeof outcomeSchema>;

/** What happens to other objects when one is deleted. */
export const deletionEffectSchema = z.object({
  /**
   * - `owned`: they go after it, before it, or stay without an owner, as the deletion says
   * - `inside`: they are in it, and go
   * - `instances`: they are of its kind, and go
   * - `claims`: they were made for its pods, and stay
   * - `claimsGone`: as these, and go
   * - `running`: pods that run on it, and are lost
   * - `volumeGone`, `volumeKept`: the volume behind it, with its data
   * - `claimLost`: the claim that is bound to it, whose data is out of reach
   * - `maker`: it makes another in its place
   */
  effect: z.enum([
    'owned',
    'inside',
    'instances',
    'claims',
    'claimsGone',
    'running',
    'volumeGone',
    'volumeKept',
    'claimLost',
    'maker',
  ]),
  /** The name of their kind, of one and of several: `Pod`, `Pods`. */
  kind: z.string(),
  title: z.string(),
  /** Null where the cluster does not say how many there are. */
  count: z.nullable(z.int()),
  /** The names of a few at most. */
  names: z.array(z.string()),
});
export type DeletionEffect = z.infer<typeof deletionEffectSchema>;

/** Objects of one call whose deletion is looked at, at most. */
export const effectsLimit = 20;

/** Whether an action can run on some objects now. */
export const actionStateSchema = z.object({
  id: z.string(),
  /** True if it can run on any of them, otherwise the reason. */
  enabled: z.union([z.literal(true), z.string()]),
});
export type ActionState = z.infer<typeof actionStateSchema>;

/** A revision to which an object can be rolled back. */
export const revisionSchema = z.object({
  revision: z.int(),
  isCurrent: z.boolean(),
  createdAt: z.nullable(z.string()),
  images: z.array(z.string()),
  /** The recorded reason for the revision. */
  cause: z.nullable(z.string()),
  /** Its pod template, without additions by controllers. */
  template: z.unknown(),
});
export type Revision = z.infer<typeof revisionSchema>;

export const objectEndpoints = {
  objects: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/objects',
    summary: 'A page of the objects of a kind',
    access: { kind: 'view', at: 'namespace' },
    params: kindParams,
    query: z.extend(namespaceQuery, {
      labelSelector: z.optional(z.string().check(z.maxLength(1000))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 500),
      continue: z.optional(z.string().check(z.maxLength(4096))),
    }),
    response: z.object({ items: z.array(kubeObjectSchema), continue: z.optional(z.string()) }),
  }),
  object: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/objects/:name',
    summary: 'One object',
    access: { kind: 'view', at: 'namespace' },
    params: objectParams,
    query: namespaceQuery,
    response: kubeObjectSchema,
  }),
  createObject: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/kinds/:kind/objects',
    summary: 'Creates an object',
    audited: 'create an object on {cluster}',
    access: { kind: 'manage', at: 'handler' },
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
    audited: 'change an object on {cluster}',
    access: { kind: 'manage', at: 'namespace' },
    params: objectParams,
    query: changeQuery,
    bodyLimit: objectLimit,
    body: z.strictObject({
      resourceVersion: z.string().check(z.minLength(1), z.maxLength(200)),
      patch: z.looseObject({}),
      confirm: confirmation,
    }),
    response: kubeObjectSchema,
  }),
  revisions: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/objects/:name/revisions',
    summary: 'The revisions of a workload, newest first, and the pod template it has now',
    access: { kind: 'view', at: 'namespace' },
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
      'The actions that the caller may perform on all of these objects, with the reason if one is not possible now',
    access: 'cluster',
    reads: true,
    params: clusterParams,
    bodyLimit: 512 * 1024,
    body: z.strictObject({ refs: refsSchema }),
    response: z.object({
      actions: z.array(actionStateSchema),
      /** Ids of the actions of these kinds that the caller lacks the permission for. */
      refused: z.array(z.string()),
    }),
  }),
  deletionEffects: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/deletion-effects',
    summary: 'What happens to other objects when these are deleted; nothing is changed',
    access: 'cluster',
    reads: true,
    params: clusterParams,
    bodyLimit: 512 * 1024,
    body: z.strictObject({ refs: refsSchema.check(z.maxLength(effectsLimit)) }),
    response: z.object({
      effects: z.array(deletionEffectSchema),
      /** There may be others, of kinds or in namespaces that the caller may not view. */
      hasUnseen: z.boolean(),
    }),
  }),
  runAction: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/actions/:actionId',
    summary: 'Performs an action on each object; each succeeds or fails by itself',
    audited: 'run an action[, {actionId},] on {cluster}',
    access: 'cluster',
    proof: 'handler',
    params: z.extend(clusterParams, { actionId: z.string().check(z.minLength(1), z.maxLength(100)) }),
    bodyLimit: 512 * 1024,
    body: z.strictObject({
      refs: refsSchema,
      args: z._default(z.record(z.string().check(z.maxLength(100)), z.unknown()), {}),
      dryRun: z._default(z.boolean(), false),
      confirm: confirmation,
    }),
    response: z.object({ outcomes: z.array(outcomeSchema) }),
  }),
} as const;
