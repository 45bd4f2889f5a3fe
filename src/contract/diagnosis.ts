import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { refSchema } from './objects.ts';

const text = z.string();
/** Epoch seconds. */
const time = z.nullable(z.number());

/** What a finding stands on: each names the object in which it can be looked up. */
export const evidenceSchema = z.discriminatedUnion('type', [
  /** A field of an object, by its path as in `kubectl explain`, and what it says; null if it is not set. */
  z.object({ type: z.literal('field'), ref: refSchema, path: text, value: z.nullable(text) }),
  /** An event about the object. */
  z.object({
    type: z.literal('event'),
    ref: refSchema,
    reason: text,
    message: text,
    /** When it was last seen. */
    at: time,
    count: z.int(),
  }),
  /**
   * What a container wrote last, of its present or its previous run. With the line that says why, without what looks
   * like a secret, and the time of that line; else the time when the run ended.
   */
  z.object({
    type: z.literal('log'),
    ref: refSchema,
    container: text,
    previous: z.boolean(),
    at: time,
    line: z.optional(text),
  }),
  /** That an object exists, or does not. */
  z.object({ type: z.literal('object'), ref: refSchema, exists: z.boolean() }),
]);
export type Evidence = z.infer<typeof evidenceSchema>;

/** An object that somebody may create, as a manifest to be completed. */
export const creationSchema = z.object({
  ref: refSchema,
  /** YAML; values that nobody knows are empty. */
  manifest: text,
});
export type Creation = z.infer<typeof creationSchema>;

/** What one rule found: the first cause of trouble, in one sentence, with what proves it. */
export const findingSchema = z.object({
  /** Stable id, the kind of the object first: `pod.image-missing`. */
  rule: text,
  /** `info` for a note: nothing is broken now. */
  tone: z.enum(['info', 'warn', 'bad']),
  /** The object at fault. */
  object: refSchema,
  /** Kubernetes' own name of its kind. */
  kindName: text,
  /** The cause, in at most 200 characters. */
  sentence: text,
  /** Further text, such as what helps. */
  detail: z.optional(text),
  /** The next step, as a sentence; absent where the sentence or the detail says it. */
  next: z.optional(text),
  /** At least one. */
  evidence: z.array(evidenceSchema),
  /** From the object that was asked about to the one at fault, both included. */
  path: z.array(refSchema),
  /** Objects with the same trouble, such as the pods of one workload; 1 without others. */
  count: z.int(),
  /** Actions that help and that the person may run, as a line of trouble has them. */
  actions: z.array(z.object({ id: text, refs: z.array(refSchema) })),
  /** Objects to look at next: the one at fault, and others that are cited and there. */
  opens: z.optional(z.array(refSchema)),
  /** Objects whose change helps and that the person may edit. */
  edits: z.optional(z.array(refSchema)),
  /** Missing objects that the person may create to help. */
  creates: z.optional(z.array(creationSchema)),
});
export type Finding = z.infer<typeof findingSchema>;

/** Findings, the worst first. */
export const diagnosisSchema = z.object({
  findings: z.array(findingSchema),
  /** Findings that cite an object which the person may not see, or leaves out of their views. */
  withheld: z.int(),
  /** What could not be looked at, and what was left out: whole sentences. */
  notes: z.array(text),
  /** Number of examined objects by kinds: `12 workloads, 31 pods, 4 claims of namespace payments`. */
  examined: z.optional(text),
  /** Of an object that is not there: a sentence that says so, and what still tells of it. */
  gone: z.optional(z.object({ sentence: text, evidence: z.array(evidenceSchema) })),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;

const segment = z.string().check(z.minLength(1), z.maxLength(253));

export const diagnosisEndpoints = {
  diagnoseObject: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/objects/:name/diagnosis',
    summary: 'Diagnosis of an object: findings of rules about it and its dependencies, with evidence',
    access: { kind: 'view', at: 'namespace' },
    perMinute: 60,
    params: z.extend(clusterParams, {
      kind: z.string().check(z.minLength(1), z.maxLength(400)),
      name: segment,
    }),
    query: z.object({ namespace: z.optional(segment) }),
    response: diagnosisSchema,
  }),
  diagnoseCluster: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/diagnosis',
    summary: 'Diagnosis of a cluster, or of one of its namespaces: findings of rules, with evidence',
    access: 'cluster',
    perMinute: 60,
    params: clusterParams,
    query: z.object({ namespace: z.optional(segment) }),
    response: diagnosisSchema,
  }),
} as const;
