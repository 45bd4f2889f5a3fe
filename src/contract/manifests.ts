import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { confirmation, kubeObjectSchema } from './objects.ts';
import { lackSchema } from './problem-schema.ts';

/** Maximum size of a text that one call creates or applies, in bytes. */
export const yamlLimit = 3 * 1024 * 1024;
/** Maximum number of objects that one call creates or applies. */
export const objectsLimit = 200;

/** JSON encodes some characters in several bytes. */
const bodyLimit = 2 * yamlLimit + 1024;
const yaml = z
  .string()
  .check(z.maxLength(yamlLimit, 'The text is larger than 3 MB, the maximum for one call. Split it.'));

/** A cluster's message about a field, with the path as API servers write it: `spec.ports[0].port`. */
const fieldIssueSchema = z.object({ path: z.string(), message: z.string() });
export type FieldIssue = z.infer<typeof fieldIssueSchema>;

/** The result for one object of a text. */
export const manifestResultSchema = z.object({
  /** Index of its document in the text, from 0. */
  index: z.int(),
  kind: z.string(),
  /** Null for cluster-scoped objects. */
  namespace: z.nullable(z.string()),
  name: z.string(),
  ok: z.boolean(),
  /** The result or the failure: one sentence. */
  message: z.string(),
  /**
   * Fields that the cluster refused, by path in the document. In a Problem of this call their paths are
   * `0.spec.replicas`.
   */
  fields: z.optional(z.array(fieldIssueSchema)),
  /** What the person lacks for it, where that is why it failed. */
  lacking: z.optional(lackSchema),
});
export type ManifestResult = z.infer<typeof manifestResultSchema>;

/** A field that an apply would take from another owner. */
export const conflictSchema = z.object({
  /** In the cluster's notation: `.spec.replicas`. */
  field: z.string(),
  /** The owning field manager, e.g. `kubectl-client-side-apply`. */
  manager: z.string(),
});
export type FieldConflict = z.infer<typeof conflictSchema>;

/** The result, or the predicted result, for one applied object. */
export const applyResultSchema = z.extend(manifestResultSchema, {
  /** Index among the objects of the text, from 0: a List has several in one document. */
  at: z.int(),
  /** An HTTP status. */
  status: z.int(),
  /**
   * Fields with other owners, because of which nothing was applied. Sending the object's `at` in `takeOver` takes them.
   */
  conflicts: z.array(conflictSchema),
  /** The cluster is protected and this ends pods or destroys something: its name has to be sent as `confirm`. */
  mustConfirm: z.optional(z.boolean()),
  /** In a dry run: the object before, absent if there is none, and after. */
  before: z.optional(kubeObjectSchema),
  after: z.optional(kubeObjectSchema),
});
export type ApplyResult = z.infer<typeof applyResultSchema>;

const word = z.string().check(z.maxLength(400));

/** The identity of a document's object, without content. */
const namedSchema = z.strictObject({
  apiVersion: word,
  kind: word,
  namespace: z.optional(word),
  name: z.optional(word),
});
export type NamedManifest = z.infer<typeof namedSchema>;

/** A cluster's answer about an object to be created; `null` for unknown. */
export const checkSchema = z.object({
  /** The kind's plural title; null for a kind that the cluster does not serve. */
  title: z.nullable(z.string()),
  /** Why it cannot be created at all, or not by this person: a whole sentence. */
  refusal: z.nullable(z.string()),
  /** What the person lacks for it, where that is the refusal. */
  lacking: z.optional(lackSchema),
  /** The namespace of the object; null for cluster-scoped objects. */
  namespace: z.nullable(z.string()),
  namespaceExists: z.nullable(z.boolean()),
  exists: z.nullable(z.boolean()),
});
export type ManifestCheck = z.infer<typeof checkSchema>;

/** Creating and applying objects from YAML, and checking them before. */
export const manifestEndpoints = {
  createResource: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/create-resource',
    summary:
      'Creates every object of a YAML text; each succeeds or fails by itself. Fails if none was created',
    audited: 'create objects from YAML on {cluster}',
    access: { permission: 'resources.manage', at: 'handler' },
    params: clusterParams,
    bodyLimit,
    perMinute: 120,
    body: z.strictObject({ yaml }),
    response: z.object({ results: z.array(manifestResultSchema) }),
  }),
  applyResource: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/apply-resource',
    summary: 'Applies every object of a YAML text by server-side apply, as the field manager wheelhouse',
    audited: 'apply objects from YAML on {cluster}',
    access: { permission: 'resources.manage', at: 'handler' },
    params: clusterParams,
    bodyLimit,
    perMinute: 120,
    body: z.strictObject({
      yaml,
      /** The cluster validates everything and stores nothing. */
      dryRun: z._default(z.boolean(), false),
      /** The objects, by `at`, whose conflicting fields are taken from their owners. */
      takeOver: z._default(z.array(z.int().check(z.minimum(0))).check(z.maxLength(objectsLimit)), []),
      confirm: confirmation,
    }),
    response: z.object({ results: z.array(applyResultSchema) }),
  }),
  checkResource: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/check-resource',
    summary: 'Whether objects could be created: kind, permission, namespace, and whether they exist already',
    access: { permission: 'resources.manage', at: 'handler' },
    reads: true,
    params: clusterParams,
    perMinute: 240,
    body: z.strictObject({ documents: z.array(namedSchema).check(z.minLength(1), z.maxLength(20)) }),
    response: z.object({ checks: z.array(checkSchema) }),
  }),
} as const;
