import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { kubeObjectSchema } from './objects.ts';

/** Largest text that is created or applied in one call, in bytes. */
export const yamlLimit = 3 * 1024 * 1024;
/** Most objects of one text that are created or applied in one call. */
export const objectsLimit = 200;

/** JSON writes some characters in several bytes. */
const bodyLimit = 2 * yamlLimit + 1024;
const yaml = z
  .string()
  .check(z.maxLength(yamlLimit, 'The text is larger than the 3 MB that are accepted at a time. Split it.'));

/** What a cluster says of one field: its path as API servers write them, `spec.ports[0].port`. */
const fieldIssueSchema = z.object({ path: z.string(), message: z.string() });
export type FieldIssue = z.infer<typeof fieldIssueSchema>;

/** What became of one object of a text. */
export const manifestResultSchema = z.object({
  /** Its document in the text, from 0. */
  index: z.int(),
  kind: z.string(),
  /** Null for objects of the cluster. */
  namespace: z.nullable(z.string()),
  name: z.string(),
  ok: z.boolean(),
  /** What happened or why not: one sentence. */
  message: z.string(),
  /** Fields that the cluster refused, by their paths in the document. A Problem of this call has them as `0.spec.replicas`. */
  fields: z.optional(z.array(fieldIssueSchema)),
});
export type ManifestResult = z.infer<typeof manifestResultSchema>;

/** A field that an apply would take from somebody else. */
export const conflictSchema = z.object({
  /** As the cluster writes it: `.spec.replicas`. */
  field: z.string(),
  /** Who owns it: the field manager, e.g. `kubectl-client-side-apply`. */
  manager: z.string(),
});
export type FieldConflict = z.infer<typeof conflictSchema>;

/** What became, or would become, of one object that was applied. */
export const applyResultSchema = z.extend(manifestResultSchema, {
  /** Its place among the objects of the text, from 0: a List has several in one document. */
  at: z.int(),
  /** As an HTTP status. */
  status: z.int(),
  /** Fields that others own: nothing was applied. Sending its `at` in `takeOver` takes them. */
  conflicts: z.array(conflictSchema),
  /** In a dry run: the object as it is, none where there is none, and as it would be. */
  before: z.optional(kubeObjectSchema),
  after: z.optional(kubeObjectSchema),
});
export type ApplyResult = z.infer<typeof applyResultSchema>;

const word = z.string().check(z.maxLength(400));

/** What a document says of itself, without its content. */
const namedSchema = z.strictObject({
  apiVersion: word,
  kind: word,
  namespace: z.optional(word),
  name: z.optional(word),
});
export type NamedManifest = z.infer<typeof namedSchema>;

/** What a cluster says to an object that is to be created there. `null`: it could not be learnt. */
export const checkSchema = z.object({
  /** The kind's objects in the plural, as people call them; null for a kind that the cluster does not serve. */
  title: z.nullable(z.string()),
  /** Why it cannot be created at all, or by this person: a whole sentence. */
  refusal: z.nullable(z.string()),
  /** The namespace it would be in; null for objects of the cluster. */
  namespace: z.nullable(z.string()),
  namespaceExists: z.nullable(z.boolean()),
  exists: z.nullable(z.boolean()),
});
export type ManifestCheck = z.infer<typeof checkSchema>;

/** Objects from YAML: created, applied, and asked about before. */
export const manifestEndpoints = {
  createResource: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/create-resource',
    summary:
      'Creates every object of a YAML text; each succeeds or fails by itself. A failure if none was created',
    access: { permission: 'resources.manage' },
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
    access: { permission: 'resources.manage' },
    params: clusterParams,
    bodyLimit,
    perMinute: 120,
    body: z.strictObject({
      yaml,
      /** The cluster checks everything and stores nothing. */
      dryRun: z._default(z.boolean(), false),
      /** Objects, by `at`, whose conflicting fields are taken from their owners. */
      takeOver: z._default(z.array(z.int().check(z.minimum(0))).check(z.maxLength(objectsLimit)), []),
      confirm: z.optional(z.string().check(z.maxLength(100))),
    }),
    response: z.object({ results: z.array(applyResultSchema) }),
  }),
  checkResource: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/check-resource',
    summary: 'Whether objects could be created: kind, permission, namespace, and whether they exist already',
    access: { permission: 'resources.manage' },
    reads: true,
    params: clusterParams,
    perMinute: 240,
    body: z.strictObject({ documents: z.array(namedSchema).check(z.minLength(1), z.maxLength(20)) }),
    response: z.object({ checks: z.array(checkSchema) }),
  }),
} as const;
