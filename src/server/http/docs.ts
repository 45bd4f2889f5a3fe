import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { api } from '../../contract/api.ts';
import { streams } from '../../contract/streams.ts';
import { describeAccess, describeTokens, type Endpoint } from '../../contract/endpoint.ts';
import { type DocumentedCall, docsPage, docsStyle } from './docs-page.ts';

/** How a personal API token is sent. */
const tokenScheme = { type: 'http', scheme: 'bearer', bearerFormat: 'whp_…' } as const;

/** Collects the description of every route: before any is mounted. */
export async function installOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Wheelhouse',
        version,
        description:
          'The calls of this console. A session cookie identifies the caller; calls that change something need the X-XSRF-TOKEN header with the value of the XSRF-TOKEN cookie (over plain http both names end in the port), and an Origin of this console. Calls whose security names it take a personal API token instead, as Authorization: Bearer whp_…, with neither of the two; the token needs the scope of the call. Failures have the body { title, status }.',
      },
      // The cookie's name may depend on the port, which is not known yet: `installDocs` fills it in.
      components: {
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '' }, token: tokenScheme },
      },
      security: [{ session: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
}

/**
 * `/api/docs` for people, `/api/docs/json` for programs (OpenAPI 3.1). For anyone who is signed in.
 * @param cookieName of the session's cookie; asked for once the server listens
 */
export function installDocs(app: FastifyInstance, cookieName: () => string): void {
  const options = { config: { access: 'session' }, schema: { hide: true } } as const;
  const page = docsPage(callsOf({ ...api, ...streams }));
  app.get('/api/docs/json', options, () => {
    const document = app.swagger();
    const session = { type: 'apiKey', in: 'cookie', name: cookieName() };
    const components = 'components' in document ? document.components : {};
    return { ...document, components: { ...components, securitySchemes: { session, token: tokenScheme } } };
  });
  app.get('/api/docs/style.css', options, async (_request, reply) => {
    return await reply.type('text/css; charset=utf-8').send(docsStyle);
  });
  app.get('/api/docs', options, async (_request, reply) => {
    return await reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);
  });
}

function callsOf(table: Readonly<Record<string, Endpoint>>): DocumentedCall[] {
  return Object.values(table).map((endpoint) => ({
    method: endpoint.method,
    path: endpoint.path,
    summary: endpoint.summary,
    access: describeAccess(endpoint.access),
    tokens: describeTokens(endpoint),
    body: schemaText(endpoint.body, 'input'),
    response: schemaText(endpoint.response, 'output'),
  }));
}

function schemaText(schema: z.core.$ZodType | undefined, io: 'input' | 'output'): string | undefined {
  if (schema === undefined) return undefined;
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return JSON.stringify(rest, null, 2);
}
