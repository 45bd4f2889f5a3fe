import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contract/problem.ts';

/** How often the delay of the event loop is measured, ms: each measurement wakes an idle server. */
const resolution = 100;
/** The measurements are averaged over this time, ms. */
const window = 1_000;

/**
 * Answers calls with 503 while the event loop is so late that none would be served in time.
 * @param maxDelay how late it may be on average, ms; 0: whatever it is
 */
export function installOverload(app: FastifyInstance, maxDelay: number): void {
  if (maxDelay === 0) return;
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  let delay = 0;
  let lookedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // The first look after a reset is only where the next is measured from: without a second, all of it was one wait.
    delay = (histogram.count === 0 ? now - lookedAt : histogram.mean / 1e6) - resolution;
    lookedAt = now;
    histogram.reset();
  }, window);
  timer.unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    histogram.disable();
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    // Files cost nothing, and a page that lacks one of its parts is broken for as long as it is open.
    const isFile = request.routeOptions.config.anyHost === true || !request.url.startsWith('/api/');
    if (isFile || delay <= maxDelay) {
      done();
      return;
    }
    void reply.header('retry-after', '5');
    done(new Problem({ status: 503, title: 'The server is busy. Try again in a few seconds.' }));
  });
}
