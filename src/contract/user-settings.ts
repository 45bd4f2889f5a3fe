import * as z from 'zod/mini';
import { clusterParams, firstSorts } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { namespaceNameSchema } from './namespaces.ts';
import { webhookSchema } from './webhooks.ts';

/** Maximum number of namespaces that a person leaves out of their views of a cluster. */
export const excludedLimit = 200;

/** Maximum number of namespaces that a person has offered before the others. */
export const favouritesLimit = 20;

/** Names of namespaces, each of which need not exist (yet). */
const namesSchema = z.array(namespaceNameSchema).check(z.maxLength(excludedLimit));

/** How a person looks at a cluster. */
const userSettingsSchema = z.strictObject({
  /** Namespaces that their views leave out, sorted. */
  excludedNamespaces: namesSchema,
  /** Namespaces that are offered before the others, in this order. */
  favouriteNamespaces: z.array(namespaceNameSchema).check(z.maxLength(favouritesLimit)),
  /** The order that lists with its column begin with; null for that of each list. */
  sort: z.nullable(z.enum(firstSorts)),
  /** Whether lists begin as wide tables. */
  isWide: z.boolean(),
  webhooks: z.array(webhookSchema),
});
export type UserSettings = z.infer<typeof userSettingsSchema>;

/** A person's own settings of a cluster (specification section 7). */
export const userSettingsEndpoints = {
  userSettings: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/settings/user',
    summary: 'The signed-in person’s settings for a cluster',
    access: 'cluster',
    tokens: 'never',
    params: clusterParams,
    response: userSettingsSchema,
    failure: 'Failed to fetch user settings',
  }),
  saveUserSettings: endpoint({
    method: 'PUT',
    path: '/api/clusters/:clusterId/settings/user',
    summary: 'Changes the signed-in person’s settings for a cluster; all their open pages apply them',
    access: 'cluster',
    tokens: 'never',
    own: true,
    params: clusterParams,
    // What is missing stays as it is stored. Webhooks have calls of their own: a list that is sent along has to be the
    // one that is there.
    body: z.partial(userSettingsSchema, {
      favouriteNamespaces: true,
      sort: true,
      isWide: true,
      webhooks: true,
    }),
    response: userSettingsSchema,
    failure: 'Failed to update user settings',
  }),
} as const;
