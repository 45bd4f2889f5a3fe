import type { IncomingMessage, Server } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildMeta, helpMeta } from '../http/page.ts';
import { checkout } from './page-build.ts';

/** Build id of a page that is made from its sources as it is asked for. */
export const devBuild = 'dev';

/** Paths that the API host answers; all others belong to the page, which Vite serves. */
const ownPath = /^\/(api|healthz|readyz|metrics)([/?]|$)/;

/**
 * One server for `npm run dev`: the API host and Vite's development server (with hot reload) behind the same port.
 * @param app Not listening: requests are passed to it.
 * @param server Listening already, so that the port is known to the app from the beginning.
 * @param hasHelp Whether Help leads somewhere, which the page is told.
 */
export async function serveDevelopment(
  app: FastifyInstance,
  server: Server,
  hasHelp: boolean,
): Promise<{ close(): Promise<void> }> {
  const { createServer: createVite } = await import('vite');
  const vite = await createVite({
    root: checkout,
    configFile: join(checkout, 'vite.config.ts'),
    appType: 'spa',
    server: { middlewareMode: true, hmr: { server } },
    plugins: [
      {
        name: 'wheelhouse-build',
        transformIndexHtml: () => [
          { tag: 'meta', attrs: { name: buildMeta, content: devBuild } },
          ...(hasHelp ? [{ tag: 'meta', attrs: { name: helpMeta, content: 'named' } }] : []),
        ],
      },
    ],
  });
  await app.ready();
  server.on('request', (request, response) => {
    if (ownPath.test(request.url ?? '')) app.routing(request, response);
    else vite.middlewares(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    if (request.url?.startsWith('/api/') === true) app.server.emit('upgrade', request, socket, head);
  });
  return {
    async close() {
      await vite.close();
    },
  };
}
