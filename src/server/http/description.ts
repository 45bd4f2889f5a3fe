import { z } from 'zod';
import {
  describeAccess,
  describeProof,
  describeTokens,
  type Endpoint,
  tokenUseOf,
} from '../../contract/endpoint.ts';
import { problemSchema } from '../../contract/problem-schema.ts';

/** What OpenAPI says of a call or stream besides its parameters: its name, what it is, and who may use it how. */
export function descriptionOf(name: string, endpoint: Endpoint) {
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[2] ?? 'api'],
    description: `Access: ${describeAccess(endpoint.access)}. ${describeTokens(endpoint)}${describeProof(endpoint)}`,
    security: securityOf(endpoint),
  };
}

/** By nothing, by session, or also by an API token, with the scope that it needs by name. */
function securityOf(endpoint: Endpoint): readonly Record<string, string[]>[] {
  if (endpoint.access === 'public') return [];
  const use = tokenUseOf(endpoint);
  if (use === 'never') return [{ session: [] }];
  const { access } = endpoint;
  const permission = typeof access === 'object' && 'permission' in access ? [access.permission] : [];
  return [{ session: [] }, { token: [...permission, ...(use === 'scopes' ? [] : [use])] }];
}

/** Refusals and failures of a route. */
export const problemResponses = { '4xx': problemSchema, '5xx': problemSchema };

/** How a stream is mounted: who may use it, from the console's own pages or by an API token, and what OpenAPI says. */
export function streamRoute(name: string, endpoint: Endpoint) {
  const { method, path, access, params, query, perMinute } = endpoint;
  return {
    method,
    url: path,
    config: {
      access,
      tokens: tokenUseOf(endpoint),
      sameOriginOnly: true,
      ...(perMinute === undefined ? {} : { rateLimit: { max: perMinute, timeWindow: 60_000 } }),
    },
    schema: {
      ...descriptionOf(name, endpoint),
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { querystring: query }),
      response: {
        ...(endpoint.download === true ? { 200: z.string() } : { 101: z.null() }),
        ...problemResponses,
      },
    },
  };
}
