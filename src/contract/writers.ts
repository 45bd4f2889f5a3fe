import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { refSchema } from './objects.ts';

/** Objects of one call whose writers are looked for, at most. */
export const writtenLimit = 20;

/** The families of tools and controllers that write objects. */
export const writerTools = [
  'argocd',
  'flux',
  'helm',
  'olm',
  'crossplane',
  'cert-manager',
  'keda',
  'autoscaler',
  'operator',
  'controller',
  'cluster',
] as const;
export type WriterTool = (typeof writerTools)[number];

/**
 * When a writer puts a change back.
 * - `at-once`: as soon as it sees the change
 * - `interval`: at its next reconciliation, which comes by itself
 * - `any-time`: whenever it looks at the object again
 * - `next-sync`: with its next sync or upgrade, which something new starts
 * - `by-hand`: when somebody syncs or upgrades
 * - `paused`: once somebody resumes it
 * - `never`: its settings exempt the object
 * - `anew`: it replaces the object, or makes the next one without the change
 * - `unknown`: the object that says so is not seen, or not on this cluster
 */
export const writeTimes = [
  'at-once',
  'interval',
  'any-time',
  'next-sync',
  'by-hand',
  'paused',
  'never',
  'anew',
  'unknown',
] as const;
export type WriteTime = (typeof writeTimes)[number];

/** Acts on an object that others may undo. */
export const writeActs = ['change', 'delete'] as const;
export type WriteAct = (typeof writeActs)[number];

const pathSchema = z
  .array(z.union([z.string().check(z.maxLength(2_000)), z.int().check(z.minimum(0))]))
  .check(z.minLength(1), z.maxLength(100));

const writerSchema = z.object({
  tool: z.enum(writerTools),
  /** As sentences call it: `Argo CD shop`. */
  label: z.string(),
  /** Its reaction to the change or deletion, with the time: a whole sentence. */
  sentence: z.string(),
  when: z.enum(writeTimes),
  /** The object by which it writes, where the caller may view that. */
  ref: z.optional(refSchema),
  /** `unseen`: the caller may not view the object by which it writes, or the console cannot read it. */
  sight: z.enum(['seen', 'absent', 'unseen', 'needless']),
  /** State of the sync by its own object: `OutOfSync`. Absent unless that object was seen. */
  syncState: z.optional(z.string()),
  /** Whether it is known to write one of the fields; false where its source is not on the cluster. */
  isCertain: z.boolean(),
  /** The fields that show it, of the object itself or of the object in `ref`. */
  evidence: z.array(z.object({ ref: z.optional(refSchema), path: z.string(), value: z.string() })),
});
export type ObjectWriter = z.infer<typeof writerSchema>;

const writtenSchema = z.object({ ref: refSchema, writers: z.array(writerSchema) });

/** The next writers of objects. */
export const writerEndpoints = {
  objectWriters: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/writers',
    summary: 'Which tools and controllers will write these objects next, how soon, and what shows it',
    access: 'cluster',
    reads: true,
    params: clusterParams,
    bodyLimit: 512 * 1024,
    body: z.strictObject({
      refs: z.array(refSchema).check(z.minLength(1), z.maxLength(writtenLimit)),
      act: z._default(z.enum(writeActs), 'change'),
      /** Fields that are about to change: writers of other fields are left out. */
      paths: z.optional(z.array(pathSchema).check(z.minLength(1), z.maxLength(2_000))),
      /** In place of paths: the action that is about to run. */
      action: z.optional(
        z.strictObject({
          id: z.string().check(z.minLength(1), z.maxLength(100)),
          args: z._default(z.record(z.string().check(z.maxLength(100)), z.unknown()), {}),
        }),
      ),
    }),
    response: z.object({
      objects: z.array(writtenSchema),
      /** Reasons why a writer may be missing: whole sentences. */
      notes: z.array(z.string()),
    }),
  }),
} as const;
