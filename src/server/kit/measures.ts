import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { systemClock } from './clock.ts';
import { RecentWaits, type RecentWait } from './recent.ts';
import type { Span, SpanAttributes, Tracer } from './tracer.ts';

/** Bounds of the histograms, s: from an answer out of memory to the end of a request to a cluster. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

/** A subscription of a page that waits for its first message. */
export interface SubscriptionWait {
  readonly clusterId: number;
  readonly userId: number;
  /** The subject of a list or view: a kind, or a word for what has none. */
  readonly what: string;
}

/** Durations and counts for `/metrics`, of waiting for clusters, since the start of the server. */
export class Measures {
  /** Holds all of them. */
  readonly registry = new Registry();
  /** The same of the last minutes, one by one. */
  readonly recent = new RecentWaits();
  readonly #requests = new Histogram({
    name: 'wheelhouse_cluster_request_duration_seconds',
    help: 'Duration of requests to clusters by verb and outcome: ok, the status of the refusal, or no answer. A watch lasts until it is open.',
    labelNames: ['cluster', 'verb', 'outcome'],
    buckets,
    registers: [this.registry],
  });
  readonly #firstRows = new Histogram({
    name: 'wheelhouse_live_first_rows_seconds',
    help: 'Time from the subscription of a page until its first rows, or the object, were sent.',
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

  readonly #changes = new Histogram({
    name: 'wheelhouse_live_change_duration_seconds',
    help: 'Time from when a change of an object arrived until its row was handed to the pages that show it.',
    labelNames: ['cluster'],
    buckets,
    registers: [this.registry],
  });
  readonly #connectionWaits = new Histogram({
    name: 'wheelhouse_database_wait_seconds',
    help: 'Time that a call waited for a connection to the database.',
    buckets,
    registers: [this.registry],
  });
  readonly #duties = new Gauge({
    name: 'wheelhouse_duties',
    help: 'Duties that this server does for all servers, by sort.',
    labelNames: ['duty'],
    registers: [this.registry],
  });

  /** Notes how long a page waited for the first rows of a subscription, or until it waited no longer. */
  answeredList(wait: SubscriptionWait & { readonly outcome: 'rows' | 'no rows'; readonly ms: number }): void {
    if (wait.outcome === 'rows')
      this.#firstRows.observe({ cluster: String(wait.clusterId) }, wait.ms / 1_000);
    this.#note({ sort: 'list', ...wait });
  }

  /** Counts a subscription that ended with a status. */
  refused({ clusterId, userId, what }: SubscriptionWait, status: number): void {
    this.#refused.inc({ cluster: String(clusterId), status: String(status) });
    this.#note({ sort: 'list', userId, clusterId, what, outcome: String(status), ms: 0 });
  }

  /** Notes how long changes of a cluster waited before they were handed to pages, ms. */
  sentChanges(clusterId: number, ms: number): void {
    this.#changes.observe({ cluster: String(clusterId) }, ms / 1_000);
  }

  /** Notes how long a connection to the database was waited for, ms. */
  waitedForConnection(ms: number): void {
    this.#connectionWaits.observe(ms / 1_000);
  }

  /** Notes that this server began or ended a duty, named by its key: `detection/12` is of the sort `detection`. */
  duty(key: string, change: 1 | -1): void {
    this.#duties.inc({ duty: key.split('/')[0] ?? key }, change);
  }

  /** Notes a call that was answered. */
  answered(call: Omit<RecentWait, 'at' | 'sort'>): void {
    this.#note({ sort: 'call', ...call });
  }

  #note(wait: Omit<RecentWait, 'at'>): void {
    this.recent.add({ at: systemClock.now(), ...wait });
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
        const ms = performance.now() - began;
        this.#requests.observe({ cluster, verb, outcome }, ms / 1_000);
        const what = [verb, attributes['k8s.resource']].filter(Boolean).join(' ');
        this.#note({ sort: 'request', userId: null, clusterId: Number(cluster), what, outcome, ms });
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
