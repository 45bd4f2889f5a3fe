import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { namespaceNameSchema } from './namespaces.ts';

/** Namespaces of one cluster that are read one by one, at most. */
export const namespacesLimit = 50;

/** What an Owner decides for everybody who uses a cluster through this console. */
export const globalSettingsSchema = z.strictObject({
  /** Whatever destroys something asks for the cluster's name. */
  isProtected: z.boolean(),
  /** No change at all goes through this console. */
  isReadOnly: z.boolean(),
  /** Shells and attaching to containers. */
  isShellAllowed: z.boolean(),
  /**
   * Namespaces to read one by one where the console's credential may not list the whole cluster, beside those that the
   * credential is found to reach.
   */
  namespaces: z.array(namespaceNameSchema).check(z.maxLength(namespacesLimit)),
});
export type GlobalSettings = z.infer<typeof globalSettingsSchema>;
/** The same as a change of it: without `namespaces` those stay. */
export type GlobalSettingsChange = Omit<GlobalSettings, 'namespaces'> & {
  readonly namespaces?: readonly string[] | undefined;
};

/** The settings of a cluster for everybody (specification section 7). */
export const clusterSettingsEndpoints = {
  globalSettings: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/settings/global',
    summary: 'What holds for everybody on a cluster',
    access: 'owner',
    params: clusterParams,
    response: globalSettingsSchema,
    failure: 'Failed to fetch global settings',
  }),
  saveGlobalSettings: endpoint({
    method: 'PUT',
    path: '/api/clusters/:clusterId/settings/global',
    summary:
      'Changes what holds for everybody on a cluster; open shells end at once where they are switched off',
    access: 'owner',
    params: clusterParams,
    // A client that does not know the namespaces leaves them as they are.
    body: z.partial(globalSettingsSchema, { namespaces: true }),
    response: globalSettingsSchema,
    failure: 'Failed to update global settings',
  }),
} as const;
