import type { FastifyInstance, FastifyRequest } from 'fastify';
import { livePath } from '../../contract/live-socket.ts';
import { logPath } from '../../contract/log.ts';
import type { Measures } from '../kit/measures.ts';
import { isUnsafe } from './guard.ts';

const isSocket = (route: string) => route === livePath || route === logPath;

const isProbe = (route: string) => route === '/healthz' || route === '/readyz' || route === '/metrics';

/** Whether a request asks for something and changes nothing. */
const isRead = ({ method, routeOptions: { config, url = '' } }: FastifyRequest): boolean =>
  config.reads === true || isSocket(url) || (!isUnsafe(method) && config.sameOriginOnly !== true);

/** The cluster that a request is about, by the id in its address. */
function clusterOf({ params }: FastifyRequest): { readonly clusterId?: number } {
  const { clusterId } = params as { readonly clusterId?: string | number };
  const id = Number(clusterId);
  return clusterId === undefined || !Number.isSafeInteger(id) ? {} : { clusterId: id };
}

/**
 * Logs one line for each request, and puts its id into the answer. Reads that succeed are logged at debug: an open page
 * makes dozens of them a minute. Changes and failures are logged at info. The line has the route's pattern, never the
 * address itself: paths and queries contain names and pasted text.
 */
export function installRequestLog(app: FastifyInstance, measures?: Measures): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    // Probes and scrapes come every few seconds, also while they fail.
    const isQuiet = isProbe(route) || (reply.statusCode < 400 && isRead(request));
    const level = isQuiet ? 'debug' : 'info';
    const userId = request.person?.id ?? null;
    const { clusterId } = clusterOf(request);
    const isSocketOpen = isSocket(route) && reply.statusCode < 400;
    if (userId !== null && !isSocketOpen)
      measures?.answered({
        userId,
        clusterId: clusterId ?? null,
        what: `${request.method} ${route}`,
        outcome: String(reply.statusCode),
        ms: reply.elapsedTime,
      });
    request.log[level](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        userId,
        ...(clusterId === undefined ? {} : { clusterId }),
        address: request.ip,
      },
      isSocketOpen ? 'A socket closed' : 'Answered',
    );
    done();
  });
}
