import { createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { livePath } from '../contract/live.ts';
import { buildMeta } from './http/page.ts';
import { checkout } from './page-build.ts';

/** Build id of a page that is made from its sources as it is asked for. */
export const devBuild = 'dev';

/** What the API host answers; everything else is the page, which Vite serves. */
const ownPath = /^\/(api|healthz|readyz|metrics)([/?]|$)/;

/**
 * One server for `npm run dev`: the API host and Vite's development server (with hot reload) behind the same port.
 * @param app Not listening: this server passes requests to it.
 */
export async function createDevServer(
  app: FastifyInstance,
): Promise<{ server: Server; close(): Promise<void> }> {
  const { createServer: createVite } = await import('vite');
  const server = createServer();
  const vite = await createVite({
    root: checkout,
    configFile: join(checkout, 'vite.config.ts'),
    appType: 'spa',
    server: { middlewareMode: true, hmr: { server } },
    plugins: [
      {
        name: 'wheelhouse-build',
        transformIndexHtml: () => [{ tag: 'meta', attrs: { name: buildMeta, content: devBuild } }],
      },
    ],
  });
  await app.ready();
  server.on('request', (request, response) => {
    if (ownPath.test(request.url ?? '')) app.routing(request, response);
    else vite.middlewares(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    if (request.url?.startsWith(livePath) === true) app.server.emit('upgrade', request, socket, head);
  });
  return {
    server,
    async close() {
      await vite.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
