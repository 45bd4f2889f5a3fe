import type { FastifyInstance } from 'fastify';
import { livePath } from '../../contract/live-socket.ts';
import { logPath } from '../../contract/log.ts';

const isSocket = (route: string) => route === livePath || route === logPath;

/**
 * Logs one line for each request, and puts its id into the answer. The line has the route's pattern, never the address
 * itself: paths and queries contain names and pasted text.
 */
export function installRequestLog(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    // Probes and scrapes every few seconds would drown the rest.
    const level = route === '/healthz' || route === '/readyz' || route === '/metrics' ? 'debug' : 'info';
    request.log[level](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        userId: request.person?.id ?? null,
        address: request.ip,
      },
      isSocket(route) && reply.statusCode < 400 ? 'A socket closed' : 'Answered',
    );
    done();
  });
}
