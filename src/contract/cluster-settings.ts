import * as z from 'zod/mini';
import { chatModes } from './chat.ts';
import { clusterParams, colourSchema } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { metricsSourceChangeSchema, metricsSourceSchema } from './metrics-source.ts';
import { namespaceNameSchema } from './namespaces.ts';
import { freeTextSchema, nameOfSchema } from './text.ts';

/** Maximum number of namespaces of a cluster that are read one by one, and of those that everybody's views leave out. */
export const namespacesLimit = 50;

/** Maximum length of the label that says what a cluster is for. */
export const environmentLimit = 30;

/** Settings of a cluster that an Owner makes for everybody. */
export const globalSettingsSchema = z.strictObject({
  name: nameOfSchema('A cluster needs a name.'),
  description: freeTextSchema(1000),
  /** What the cluster is for, as people call it: production, staging … Empty without one. */
  environment: freeTextSchema(environmentLimit),
  /** The cluster's mark wherever it is named. */
  colour: colourSchema,
  /** Destructive changes ask for the cluster's name. */
  isProtected: z.boolean(),
  /** Dangerous acts, shells and revealing Secrets take a passkey at that moment; docs/decisions/0049 lists them. */
  isPasskeyRequired: z.boolean(),
  /** The console makes no changes at all. */
  isReadOnly: z.boolean(),
  /** Whether shells and attaching to containers are allowed. */
  isShellAllowed: z.boolean(),
  /** Whether the output of shells is recorded, for Owners to replay. */
  isShellRecorded: z.boolean(),
  /** Whether changes, shells and checks of YAML reach the cluster as the person, so that its own RBAC and audit know them. */
  isImpersonating: z.boolean(),
  /**
   * Namespaces to read one by one if the console's credential cannot list the whole cluster, in addition to those that
   * the credential is known to reach.
   */
  namespaces: z.array(namespaceNameSchema).check(z.maxLength(namespacesLimit)),
  /** Namespaces that everybody's views leave out, beside those that each person leaves out. */
  excludedNamespaces: z.array(namespaceNameSchema).check(z.maxLength(namespacesLimit)),
  /** Who answers in the chat of the cluster: the rules and a model, the rules alone, or nobody. */
  chatMode: z.enum(chatModes),
  /** Where usage is read. */
  metrics: metricsSourceSchema,
});
export type GlobalSettings = z.infer<typeof globalSettingsSchema>;
/** A change of the settings: clients that do not know some of them leave those as they are stored. */
const changeSchema = z.partial(z.extend(globalSettingsSchema, { metrics: metricsSourceChangeSchema }), {
  name: true,
  description: true,
  environment: true,
  colour: true,
  namespaces: true,
  excludedNamespaces: true,
  isPasskeyRequired: true,
  isShellRecorded: true,
  isImpersonating: true,
  chatMode: true,
  metrics: true,
});
export type GlobalSettingsChange = z.infer<typeof changeSchema>;

/** The settings of a cluster for everybody (specification section 7). */
export const clusterSettingsEndpoints = {
  globalSettings: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/settings/global',
    summary: 'Settings that apply to everybody on a cluster',
    access: 'owner',
    params: clusterParams,
    response: globalSettingsSchema,
    failure: 'Failed to fetch global settings',
  }),
  passkeyReadiness: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/settings/passkeys',
    summary: 'People who may do dangerous actions on a cluster and have no passkey for this address',
    access: 'owner',
    params: clusterParams,
    response: z.object({
      /** Their names. The cluster asks for a passkey only once there are none. */
      without: z.array(z.string()),
      /** Why passkeys do not work at this address, a sentence; null where they do. */
      unavailable: z.nullable(z.string()),
    }),
  }),
  saveGlobalSettings: endpoint({
    method: 'PUT',
    path: '/api/clusters/:clusterId/settings/global',
    summary:
      'Changes the settings of a cluster that apply to everybody; switching shells off ends open ones at once, and switching recording on ends unrecorded ones',
    audited: 'change the settings of the cluster {name|cluster}',
    access: 'owner',
    proof: 'recent',
    params: clusterParams,
    // Certificates and a credential of the source of metrics may be long.
    bodyLimit: 256 * 1024,
    body: changeSchema,
    response: globalSettingsSchema,
    failure: 'Failed to update global settings',
  }),
} as const;
