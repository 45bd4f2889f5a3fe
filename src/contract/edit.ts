import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { confirmation, kubeObjectSchema, objectLimit } from './objects.ts';

const segment = z.string().check(z.minLength(1), z.maxLength(253));
const params = z.extend(clusterParams, {
  kind: z.string().check(z.minLength(1), z.maxLength(400)),
  name: segment,
});
const query = z.object({ namespace: z.optional(segment) });

const path = z
  .array(z.union([z.string().check(z.maxLength(2_000)), z.int().check(z.minimum(0))]))
  .check(z.minLength(1), z.maxLength(100));
const changeSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), path, value: z.unknown() }),
  z.strictObject({ op: z.literal('replace'), path, value: z.unknown() }),
  z.strictObject({ op: z.literal('remove'), path }),
]);

/** Editing any object as text, and applying the difference. */
export const editEndpoints = {
  editSource: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/kinds/:kind/objects/:name/source',
    summary: 'An object for editing: its texts as the cluster has them, without the values of a Secret',
    access: { kind: 'view', at: 'namespace' },
    params,
    query,
    response: z.object({ resourceVersion: z.string(), object: kubeObjectSchema }),
  }),
  editObject: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/kinds/:kind/objects/:name/edit',
    summary: 'Changes an object if it still has the given version; a dry run returns what would change',
    audited: 'change an object on {cluster}',
    access: { kind: 'manage', at: 'namespace' },
    params,
    query,
    bodyLimit: 2 * objectLimit,
    body: z.strictObject({
      resourceVersion: z.string().check(z.minLength(1), z.maxLength(200)),
      changes: z.array(changeSchema).check(z.minLength(1), z.maxLength(2_000)),
      dryRun: z._default(z.boolean(), false),
      confirm: confirmation,
    }),
    response: z.object({
      resourceVersion: z.string(),
      /** In a dry run: the object before and after the change. */
      before: z.optional(kubeObjectSchema),
      after: kubeObjectSchema,
      /** Changed fields with other owners, and the owners. */
      owners: z.array(z.object({ path: z.string(), manager: z.string() })),
      /** Whether the change ends pods or deletes something. */
      isDestructive: z.boolean(),
      /** Whether the person must type the cluster’s name. */
      mustConfirm: z.boolean(),
    }),
  }),
} as const;
