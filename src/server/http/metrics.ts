import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { Problem } from '../../contract/problem.ts';
import type { Config } from '../kit/config.ts';
import { isLoopback } from '../kit/config-values.ts';
import { Figures } from './figures.ts';
import type { Services } from './services.ts';
import { isLoopbackAddress } from './proxies.ts';

/**
 * Tries per minute from one network where a token is asked for, right ones included: a token found by guessing must not
 * be told from others by being let through. Several scrapers that come every five seconds stay below it.
 */
export const metricsPerMinute = 60;

/** `/metrics` in Prometheus' text format, for the bearer of the token or, without one, for callers on this machine. */
export function installMetrics(
  app: FastifyInstance,
  services: Pick<Services, 'config' | 'hub' | 'memory' | 'readers' | 'search' | 'store' | 'log' | 'measures'>,
): void {
  const { config } = services;
  const registry = new Registry();
  // As rarely as the server itself measures its event loop: each measurement wakes an idle server.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  // These hold the pause between two looks as well, which would be taken for lag.
  for (const part of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'])
    registry.removeSingleMetric(`nodejs_eventloop_lag_${part}_seconds`);
  const durations = new Histogram({
    name: 'wheelhouse_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  });
  const figures = new Figures(registry, services);
  const all = Registry.merge([registry, services.measures.registry]);

  app.addHook('onResponse', (request, reply, done) => {
    durations.observe(
      {
        // Never the address itself: each object name or unknown path would make a series.
        route: request.routeOptions.url ?? 'none',
        method: request.method,
        status: String(reply.statusCode),
      },
      reply.elapsedTime / 1000,
    );
    done();
  });

  app.get(
    '/metrics',
    {
      config: {
        access: 'public',
        anonymous: true,
        anyHost: config.metricsToken !== null,
        ...(config.metricsToken !== null && { rateLimit: { max: metricsPerMinute, timeWindow: 60_000 } }),
      },
      schema: { hide: true },
    },
    async (request, reply) => {
      const refusal = refuse(request, config);
      if (refusal !== undefined) throw refusal;
      await figures.read();
      return await reply
        .header('cache-control', 'no-store')
        .type(all.contentType)
        .send(await all.metrics());
    },
  );
}

function refuse(
  request: FastifyRequest,
  { metricsToken: token, url }: Pick<Config, 'metricsToken' | 'url'>,
): Problem | undefined {
  const { headers } = request;
  if (token !== null) {
    return isSame(headers.authorization ?? '', `Bearer ${token}`)
      ? undefined
      : new Problem({ status: 401, title: 'Send the metrics token as bearer token.' });
  }
  // Behind a proxy on this machine everybody looks local, and not every proxy says that it is one.
  if (url !== null && !isLoopback(url.hostname.replace(/^\[(.*)\]$/, '$1'))) {
    return new Problem({
      status: 403,
      title: 'This console has a public address, so its metrics need a token. Set WHEELHOUSE_METRICS_TOKEN.',
    });
  }
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  const isLocal = isLoopbackAddress(request.socket.remoteAddress ?? '') && !isForwarded;
  return isLocal
    ? undefined
    : new Problem({
        status: 403,
        title:
          'Metrics are served to this machine only. Set WHEELHOUSE_METRICS_TOKEN to read them from elsewhere.',
      });
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
