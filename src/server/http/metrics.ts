import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Problem } from '../../contract/problem.ts';
import type { Config } from '../kit/config.ts';
import { isLoopback } from '../kit/config-values.ts';
import { queueDepths } from '../queue/queue-depths.ts';
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
  services: Pick<Services, 'config' | 'hub' | 'store'>,
): void {
  const { config, hub } = services;
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
  registerLiveFigures(registry, hub);
  registerQueueFigures(registry, services.store);

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
      return await reply
        .header('cache-control', 'no-store')
        .type(registry.contentType)
        .send(await registry.metrics());
    },
  );
}

/** What the server holds for its pages, and how long the clusters they look at have been silent. */
function registerLiveFigures(registry: Registry, hub: Services['hub']): void {
  const figures = {
    sockets: ['wheelhouse_live_sockets', 'Open live sockets.'],
    subscriptions: ['wheelhouse_live_subscriptions', 'Subscriptions of open pages.'],
    reflectors: ['wheelhouse_live_reflectors', 'Lists that are watched in clusters.'],
    objects: ['wheelhouse_live_objects', 'Objects held in memory, of all watched lists.'],
    heldBytes: ['wheelhouse_live_held_bytes', 'What the rows of all watched lists take in memory.'],
  } as const;
  for (const [figure, [name, help]] of Object.entries(figures) as [
    keyof typeof figures,
    (typeof figures)[keyof typeof figures],
  ][]) {
    const gauge: Gauge<string> = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => {
        gauge.set(hub.stats()[figure]);
      },
    });
  }
  const silence = new Gauge({
    name: 'wheelhouse_cluster_silence_seconds',
    help: 'How long a cluster that somebody looks at has sent nothing; one that answers stays below ten seconds.',
    labelNames: ['cluster'],
    registers: [registry],
    collect: () => {
      silence.reset();
      for (const [id, seconds] of hub.stats().silences) silence.set({ cluster: String(id) }, seconds);
    },
  });
}

/** What waits in the queue of mail, webhooks and payments: for all servers, as each of them reports it. */
function registerQueueFigures(registry: Registry, store: Services['store']): void {
  const figures = {
    jobs: ['wheelhouse_queue_jobs', 'Jobs that wait or are being done.'],
    late: ['wheelhouse_queue_late_seconds', 'For how long the job that waits longest could have been done.'],
  } as const;
  for (const figure of ['jobs', 'late'] as const) {
    const [name, help] = figures[figure];
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [registry],
      collect: async () => {
        gauge.reset();
        // A store that does not answer leaves it out: all else is wanted then in particular, and /readyz says it.
        for (const depth of await queueDepths(store).catch(() => []))
          gauge.set({ queue: depth.queue }, depth[figure]);
      },
    });
  }
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
