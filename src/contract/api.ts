import { accountEndpoints } from './account.ts';
import { clusterEndpoints } from './clusters.ts';
import { namespaceEndpoints } from './namespaces.ts';
import { actionEndpoints, objectEndpoints } from './objects.ts';
import { systemEndpoints } from './system.ts';

/** Every call of the console's API. Handlers, client, permission checks, tests and OpenAPI derive from it. */
export const api = {
  ...accountEndpoints,
  ...clusterEndpoints,
  ...namespaceEndpoints,
  ...objectEndpoints,
  ...actionEndpoints,
  ...systemEndpoints,
} as const;

export type Api = typeof api;
export type ApiName = keyof Api;
