import { z } from 'zod';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { kubeObjectSchema, objectLimit } from './objects.ts';

const segment = z.string().min(1).max(253);
const params = clusterParams.extend({ kind: z.string().min(1).max(400), name: segment });
const query = z.object({ namespace: segment.optional() });

const path = z
  .array(z.union([z.string().max(2_000), z.number().int().min(0)]))
  .min(1)
  .max(100);
const changeSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), path, value: z.unknown() }),
  z.strictObject({ op: z.literal('replace'), path, value: z.unknown() }),
  z.strictObject({ op: z.literal('remove'), path }),
]);

/** Editing any object: what it is as a text to begin with, and the difference that comes back. */
export const editEndpoints = {
  editSource: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/objects/:name/source',
    summary: 'An object as it is edited: texts as the cluster has them, the values of a Secret blanked',
    access: { kind: 'view' },
    params,
    query,
    response: z.object({ resourceVersion: z.string(), object: kubeObjectSchema }),
  }),
  editObject: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/kinds/:kind/objects/:name/edit',
    summary:
      'Makes changes to an object if it still has the given version; with a dry run says what would change',
    access: { kind: 'manage' },
    params,
    query,
    bodyLimit: 2 * objectLimit,
    body: z.strictObject({
      resourceVersion: z.string().min(1).max(200),
      changes: z.array(changeSchema).min(1).max(2_000),
      dryRun: z.boolean().default(false),
      confirm: z.string().max(100).optional(),
    }),
    response: z.object({
      resourceVersion: z.string(),
      /** In a dry run: the object as it is, and as it would be. */
      before: kubeObjectSchema.optional(),
      after: kubeObjectSchema,
      /** Changed fields that others own, and who. */
      owners: z.array(z.object({ path: z.string(), manager: z.string() })),
      /** Whether it ends pods or deletes something. */
      isDestructive: z.boolean(),
      /** Whether the cluster’s name has to be typed. */
      mustConfirm: z.boolean(),
    }),
  }),
} as const;
