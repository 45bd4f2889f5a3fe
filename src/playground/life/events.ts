import type { Store } from '../store/store.ts';

/** How an event is to be told: as a new one, or by counting up the one at a key. */
export interface Telling {
  /** Under which the event's key is to be remembered (`remember`). */
  readonly id: string;
  readonly message: string;
  /** It stands for several alike: such an event names no reporting controller. */
  readonly combined: boolean;
  /** The key of the event that tells the same already. */
  readonly earlier: string | undefined;
}

/** The key of an event: the object's uid, the reporter, and the message. */
export interface Tale {
  readonly uid: string;
  /** Component and host. */
  readonly source: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly fieldPath: string;
}

/** Up to this number of different messages of one reason within `similarFor`, each is an event of its own. */
const mostSimilar = 10;
const similarFor = 600_000;
/** Events of one source about one object: so many at once, then one each five minutes. */
const burst = 25;
const refill = 300_000;
const combinedPrefix = '(combined from similar events): ';

/**
 * Keeps a cluster's events few, as the client library of every Kubernetes component does (client-go's
 * EventCorrelator): equal ones are counted, similar ones combined, a flood about one object is dropped.
 */
export class Correlator {
  readonly #similar = new Map<string, { last: number; messages: Set<string> }>();
  readonly #known = new Map<string, string>();
  readonly #allowance = new Map<string, { left: number; at: number }>();

  /** How to tell something at a time (ms); undefined when there is too much of it. */
  tell(tale: Tale, now: number): Telling | undefined {
    const kind = `${tale.source}|${tale.uid}|${tale.type}|${tale.reason}`;
    let similar = this.#similar.get(kind);
    if (similar === undefined || now - similar.last > similarFor) {
      similar = { last: now, messages: new Set() };
      this.#similar.set(kind, similar);
    }
    similar.last = now;
    similar.messages.add(tale.message);
    const combined = similar.messages.size >= mostSimilar;
    if (combined) {
      for (const message of similar.messages) {
        similar.messages.delete(message);
        break;
      }
    }
    const id = combined ? kind : `${kind}|${tale.fieldPath}|${tale.message}`;
    if (!this.#allow(`${tale.source}|${tale.uid}`, now)) return undefined;
    const message = combined ? `${combinedPrefix}${tale.message}` : tale.message;
    return { id, message, combined, earlier: this.#known.get(id) };
  }

  #allow(id: string, now: number): boolean {
    const allowance = this.#allowance.get(id) ?? { left: burst, at: now };
    this.#allowance.set(id, allowance);
    allowance.left = Math.min(burst, allowance.left + (now - allowance.at) / refill);
    allowance.at = now;
    if (allowance.left < 1) return false;
    allowance.left -= 1;
    return true;
  }

  /** Notes the key of the event that tells what an id stands for. */
  remember(id: string, key: string): void {
    this.#known.set(id, key);
  }

  /** Forgets what can have no effect any more: events that are gone, similarities and allowances of long ago. */
  forget(store: Store, now: number): void {
    for (const [id, key] of this.#known) if (store.get('/events', key) === undefined) this.#known.delete(id);
    for (const [id, { last }] of this.#similar) if (now - last > similarFor) this.#similar.delete(id);
    for (const [id, { left, at }] of this.#allowance) {
      if (left + (now - at) / refill >= burst) this.#allowance.delete(id);
    }
  }
}

/** How a series of the newer events API goes on. */
export interface Series {
  key: string;
  count: number;
  /** When it was last seen, and last written, ms. */
  seen: number;
  written: number;
}

/** A series that was quiet so long is over. */
const seriesTimeout = 360_000;
/** A series is counted at its second event, then written this often. */
const rewrite = 1_800_000;

/** Series of events that the scheduler reports (client-go's events recorder). */
export class SeriesKeeper {
  readonly #known = new Map<string, Series>();

  /** The series an event belongs to, counted up, and whether it is to be written; undefined for a new one. */
  again(id: string, now: number): { series: Series; write: boolean } | undefined {
    const series = this.#known.get(id);
    if (series === undefined || now - series.seen > seriesTimeout) return undefined;
    series.count += 1;
    series.seen = now;
    const write = series.count === 2 || now - series.written >= rewrite;
    if (write) series.written = now;
    return { series, write };
  }

  begin(id: string, key: string, now: number): void {
    this.#known.set(id, { key, count: 1, seen: now, written: now });
  }

  /** Forgets series that are over. */
  forget(now: number): void {
    for (const [id, { seen }] of this.#known) if (now - seen > seriesTimeout) this.#known.delete(id);
  }
}
