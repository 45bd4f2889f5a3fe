import { z } from 'zod';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** What an Owner decides for everybody who uses a cluster through this console. */
export const globalSettingsSchema = z.strictObject({
  /** Whatever destroys something asks for the cluster's name. */
  isProtected: z.boolean(),
  /** No change at all goes through this console. */
  isReadOnly: z.boolean(),
  /** Shells and attaching to containers. */
  isShellAllowed: z.boolean(),
});
export type GlobalSettings = z.infer<typeof globalSettingsSchema>;

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
    body: globalSettingsSchema,
    response: globalSettingsSchema,
    failure: 'Failed to update global settings',
  }),
} as const;
