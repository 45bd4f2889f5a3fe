import { Memory } from '../kit/memory.ts';
import type { Store } from '../store/store.ts';

/** How to record an event: as a new object, or by incrementing the count of an existing one. */
export interface EventRecord {
  /** Id to pass to `remember` with the event's key. */
  readonly id: string;
  readonly message: string;
  /** Stands for several similar events; it then has no reporting controller. */
  readonly combined: boolean;
  /** Key of an existing equal event. */
  readonly existingKey: string | undefined;
}

/** The parts of an event that identify it. */
export interface EventIdentity {
  readonly uid: string;
  /** Component and host. */
  readonly source: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly fieldPath: string;
}

/**
 * Number of different messages of one reason within `similarWindow` that get events of their own; further ones are
 * combined.
 */
const maxSimilar = 10;
const similarWindow = 600_000;
/** Number of events of one source about one object before its rate is limited to one per `refillInterval`, ms. */
const burst = 25;
const refillInterval = 300_000;
const combinedPrefix = '(combined from similar events): ';

/**
 * Limits a cluster's events as the client library of all Kubernetes components does (client-go's
 * EventCorrelator): counts equal ones, combines similar ones and drops floods about one object.
 */
export class Correlator {
  readonly #similar: Map<string, { last: number; messages: Set<string> }>;
  readonly #known: Map<string, string>;
  readonly #allowance: Map<string, { left: number; at: number }>;

  constructor(memory = new Memory()) {
    this.#similar = memory.of('similar events', () => new Map());
    this.#known = memory.of('known events', () => new Map());
    this.#allowance = memory.of('allowed events', () => new Map());
  }

  /** Decides how to record an event at a time (ms); undefined when it is dropped. */
  correlate(identity: EventIdentity, now: number): EventRecord | undefined {
    const kind = `${identity.source}|${identity.uid}|${identity.type}|${identity.reason}`;
    let similar = this.#similar.get(kind);
    if (similar === undefined || now - similar.last > similarWindow) {
      similar = { last: now, messages: new Set() };
      this.#similar.set(kind, similar);
    }
    similar.last = now;
    similar.messages.add(identity.message);
    const combined = similar.messages.size >= maxSimilar;
    if (combined) {
      for (const message of similar.messages) {
        similar.messages.delete(message);
        break;
      }
    }
    const id = combined ? kind : `${kind}|${identity.fieldPath}|${identity.message}`;
    if (!this.#allow(`${identity.source}|${identity.uid}`, now)) return undefined;
    const message = combined ? `${combinedPrefix}${identity.message}` : identity.message;
    return { id, message, combined, existingKey: this.#known.get(id) };
  }

  #allow(id: string, now: number): boolean {
    const allowance = this.#allowance.get(id) ?? { left: burst, at: now };
    this.#allowance.set(id, allowance);
    allowance.left = Math.min(burst, allowance.left + (now - allowance.at) / refillInterval);
    allowance.at = now;
    if (allowance.left < 1) return false;
    allowance.left -= 1;
    return true;
  }

  /** Stores the key of the event that an id stands for. */
  remember(id: string, key: string): void {
    this.#known.set(id, key);
  }

  /** Removes entries without further effect: deleted events, old similarities, refilled allowances. */
  forget(store: Store, now: number): void {
    for (const [id, key] of this.#known) if (store.get('/events', key) === undefined) this.#known.delete(id);
    for (const [id, { last }] of this.#similar) if (now - last > similarWindow) this.#similar.delete(id);
    for (const [id, { left, at }] of this.#allowance) {
      if (left + (now - at) / refillInterval >= burst) this.#allowance.delete(id);
    }
  }
}

/** A series of equal events in the events.k8s.io API. */
export interface Series {
  key: string;
  count: number;
  /** Times of the last occurrence and of the last write, ms. */
  seen: number;
  written: number;
}

/** Time after which a series without events ends, ms. */
const seriesTimeout = 360_000;
/** Interval at which a series is written after its second event, ms. */
const rewriteInterval = 1_800_000;

/** Series of events that the scheduler reports (client-go's events recorder). */
export class SeriesKeeper {
  readonly #known: Map<string, Series>;

  constructor(memory = new Memory()) {
    this.#known = memory.of('series of events', () => new Map());
  }

  /** The series that an event continues, counted up, and whether it must be written; undefined for a new series. */
  continueSeries(id: string, now: number): { series: Series; write: boolean } | undefined {
    const series = this.#known.get(id);
    if (series === undefined || now - series.seen > seriesTimeout) return undefined;
    series.count += 1;
    series.seen = now;
    const write = series.count === 2 || now - series.written >= rewriteInterval;
    if (write) series.written = now;
    return { series, write };
  }

  begin(id: string, key: string, now: number): void {
    this.#known.set(id, { key, count: 1, seen: now, written: now });
  }

  /** Removes series that have ended. */
  forget(now: number): void {
    for (const [id, { seen }] of this.#known) if (now - seen > seriesTimeout) this.#known.delete(id);
  }
}
