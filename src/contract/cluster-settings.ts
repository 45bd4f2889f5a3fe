import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { namespaceNameSchema } from './namespaces.ts';

/** Maximum number of namespaces of a cluster that are read one by one. */
export const namespacesLimit = 50;

/** Settings of a cluster that an Owner makes for everybody. */
export const globalSettingsSchema = z.strictObject({
  /** Destructive changes ask for the cluster's name. */
  isProtected: z.boolean(),
  /** The console makes no changes at all. */
  isReadOnly: z.boolean(),
  /** Whether shells and attaching to containers are allowed. */
  isShellAllowed: z.boolean(),
  /** Whether the output of shells is recorded, for Owners to replay. */
  isShellRecorded: z.boolean(),
  /**
   * Namespaces to read one by one if the console's credential cannot list the whole cluster, in addition to those that
   * the credential is known to reach.
   */
  namespaces: z.array(namespaceNameSchema).check(z.maxLength(namespacesLimit)),
});
export type GlobalSettings = z.infer<typeof globalSettingsSchema>;
/** A change of the settings; what it lacks of `namespaces` and `isShellRecorded` stays as it is stored. */
export type GlobalSettingsChange = Omit<GlobalSettings, 'namespaces' | 'isShellRecorded'> & {
  readonly isShellRecorded?: boolean | undefined;
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
    // Clients that do not know these leave them as they are stored.
    body: z.partial(globalSettingsSchema, { namespaces: true, isShellRecorded: true }),
    response: globalSettingsSchema,
    failure: 'Failed to update global settings',
  }),
} as const;
