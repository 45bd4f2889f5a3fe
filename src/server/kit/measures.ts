import { Counter, Histogram, Registry } from 'prom-client';
import type { Span, SpanAttributes, Tracer } from './tracer.ts';

/** Bounds of the histograms, s: from an answer out of memory to the end of a request to a cluster. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

/** Durations and counts for `/metrics`, of waiting for clusters, since the start of the server. */
export class Measures {
  /** Holds all of them. */
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: 'wheelhouse_cluster_request_duration_seconds',
    help: 'Duration of requests to clusters by verb and outcome: ok, the status of the refusal, or no answer. A watch lasts until it is open.',
    labelNames: ['cluster', 'verb', 'outcome'],
    buckets,
    registers: [this.registry],
  });
  readonly #firstRows = new Histogram({
    name: 'wheelhouse_live_first_message_seconds',
    help: 'Time from the subscription of a page until its first message was sent.',
    labelNames: ['cluster'],
    buckets,
    registers: [this.registry],
  });
  readonly #refused = new Counter({
    name: 'wheelhouse_live_refused_total',
    help: 'Subscriptions of pages that were refused or ended, by status: 403 lacks a permission, 503 found no room.',
    labelNames: ['cluster', 'status'],
    registers: [this.registry],
  });

  /** Notes how long a page waited for the first message of a subscription, s. */
  sentFirst(clusterId: number, seconds: number): void {
    this.#firstRows.observe({ cluster: String(clusterId) }, seconds);
  }

  /** Counts a subscription that ended with a status. */
  refused(clusterId: number, status: number): void {
    this.#refused.inc({ cluster: String(clusterId), status: String(status) });
  }

  /** A tracer that measures each request to a cluster, and records what `tracer` would. */
  measured(tracer: Tracer | undefined): Tracer {
    return {
      begin: (name, kind, attributes) => {
        const inner = tracer?.begin(name, kind, attributes);
        return kind === 'client' ? this.#timed(inner, attributes) : (inner ?? unrecorded());
      },
      close: async () => await tracer?.close(),
    };
  }

  #timed(inner: Span | undefined, attributes: SpanAttributes): Span {
    const cluster = String(attributes['wheelhouse.cluster.id'] ?? '');
    const verb = String(attributes['k8s.verb'] ?? '');
    const began = performance.now();
    let isEnded = false;
    return {
      get isEnded() {
        return isEnded;
      },
      end: (ending, hasFailed) => {
        if (isEnded) return;
        isEnded = true;
        const outcome = hasFailed ? String(ending['error.type'] ?? 'failed') : 'ok';
        this.#requests.observe({ cluster, verb, outcome }, (performance.now() - began) / 1_000);
        inner?.end(ending, hasFailed);
      },
    };
  }
}

/** A span that nobody collects. */
function unrecorded(): Span {
  let isEnded = false;
  return {
    get isEnded() {
      return isEnded;
    },
    end: () => {
      isEnded = true;
    },
  };
}
