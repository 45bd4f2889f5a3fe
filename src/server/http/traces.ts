import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Span, type Tracer, withinSpan } from '../kit/tracer.ts';

/** Probes and scrapes come every few seconds and would drown the rest. */
const untracedRoutes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Records each call as a span: the pattern of its route, its status and the id of who asked. What it asks of clusters
 * is recorded within it. Sockets stay open for hours and have no span here: each subscription of a page has its own.
 */
export function installTraces(app: FastifyInstance, tracer: Tracer | undefined): void {
  if (tracer === undefined) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    if (untracedRoutes.has(route) || request.headers.upgrade !== undefined) {
      done();
      return;
    }
    const span = tracer.begin(`${request.method} ${route}`, 'server', {
      'http.route': route,
      'http.request.method': request.method,
      'wheelhouse.request.id': request.id,
    });
    spans.set(request, span);
    withinSpan(span, done);
  });
  // The body comes in another context than the request: whoever handles it has to be led back.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else withinSpan(span, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode;
    const person = request.person?.id;
    spans.get(request)?.end(
      {
        'http.response.status_code': status,
        ...(person === undefined ? {} : { 'wheelhouse.user.id': person }),
        ...(status >= 500 ? { 'error.type': String(status) } : {}),
      },
      status >= 500,
    );
    done();
  });
}
