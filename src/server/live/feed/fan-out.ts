import type { Logger } from 'pino';
import { flushInterval } from '../../../contract/live.ts';
import { Problem } from '../../../contract/problem.ts';
import type { JoinName } from '../../../registry/kinds/kind-action.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { longBody } from '../wire/channel.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Joins } from './join.ts';
import { type Entry, placeOf } from '../source/projector.ts';
import { type Batch, type Change, rowText } from './rows.ts';
import type { SharedText } from '../wire/shared-text.ts';
import { createView, type RowSource, type View, type ViewSpec, viewKey } from './view.ts';

/** The first change after a quiet while is flushed after this, ms: it brings along what comes in the same moment. */
const firstFlush = 5;
/** With more pages than this, flushes are half as often: what a flush costs is writing to each socket. */
const manySinks = 100;
/** Time between two flushes to many pages, ms. */
const flushForMany = 200;
/** From this many changes a second on, flushes are as often as pages render them. */
const manyChanges = 1_000;
/** Time between two flushes of many changes, ms; no flush waits longer. */
export const flushOfMany = 250;

/**
 * Longer bodies are compressed for a single page too, characters: a browser reads a socket that is not always busy in
 * pieces of 1,000 bytes, each of which costs its main thread some 40 µs (Chromium 150).
 */
const longForOne = 8_000;

/** A subscription that is sent a feed's rows. */
export interface Sink {
  /** The first rows of a list are there, which is still being read: changes bring the others, then it is `ready`. */
  begun?(): void;
  /** The list is complete for the first time: send a snapshot, or the end of it. */
  ready(): void;
  changes(batch: SharedBatch): void;
  /** The state may have changed. */
  state(): void;
}

/** Changes ready to be sent: bodies that many pages are sent are shared. */
export interface SharedBatch extends Pick<Batch, 'uids'> {
  readonly bodies: readonly (string | SharedText)[];
}

export interface FanOutOptions {
  readonly kind: AnyKind;
  readonly source: Pick<RowSource, 'entries' | 'find'>;
  readonly joins: Joins;
  /** Reads what came and was not read yet: it belongs to the next flush. */
  readonly take?: () => void;
  /** Called with how long the first of the changes waited that pages are sent together, ms. */
  readonly onSent?: (ms: number) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

interface OpenView {
  readonly view: View;
  readonly sinks: Set<Sink>;
  /** Ends the joins that it shows. */
  readonly release: readonly (() => void)[];
}

/** A sink's place in a fan-out. */
export interface Seat {
  readonly view: View;
  leave(): void;
}

/** The views of a feed and who sees them: collects changes and hands them on together. */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #rows: RowSource;
  readonly #views = new Map<string, OpenView>();
  readonly #pending = new Map<string, Change>();
  /** Places whose joined cells changed. */
  #touched: Set<string> | 'all' = new Set();
  /** Rows written in this flush by the joins that they show, shared by the views that show the same ones. */
  #written: Map<string, Map<Entry, string>> | undefined;
  #cancelFlush: (() => void) | undefined;
  /** Sinks of all views. */
  #sinkCount = 0;
  /** Time between two flushes at present, ms. */
  #interval = flushInterval;
  /** The last flush had many changes. */
  #isBusy = false;
  #flushedAt = Number.NEGATIVE_INFINITY;
  /** When the first change of the next flush arrived. */
  #arrivedAt = 0;

  constructor(options: FanOutOptions) {
    this.#options = options;
    this.#rows = { ...options.source, text: (entry, names) => this.#textOf(entry, names) };
  }

  /** Views that somebody sees. */
  get size(): number {
    return this.#views.size;
  }

  /** Throws Problem 400 for a label selector that cannot be read. */
  join(spec: ViewSpec, sink: Sink): Seat {
    const key = viewKey(spec);
    const open = this.#views.get(key) ?? {
      view: createView(spec, this.#options.kind, this.#rows),
      sinks: new Set<Sink>(),
      release: this.#retain(spec.joins ?? []),
    };
    this.#views.set(key, open);
    open.sinks.add(sink);
    this.#sinkCount += 1;
    return {
      view: open.view,
      leave: () => {
        if (open.sinks.delete(sink)) this.#sinkCount -= 1;
        if (open.sinks.size > 0 || this.#views.get(key) !== open) return;
        this.#views.delete(key);
        release(open);
      },
    };
  }

  change(uid: string, entry: Entry | undefined, previous: Entry | undefined): void {
    const last = entry ?? previous;
    if (last === undefined) return;
    const isShown = entry === undefined || entry.cells !== previous?.cells;
    this.#pending.set(uid, {
      entry: last,
      gone: entry === undefined,
      shown: isShown || this.#pending.get(uid)?.shown === true,
    });
    this.#flushSoon();
  }

  /** Changes are about to be read: they are flushed as soon as if they had been. */
  expect(): void {
    this.#flushSoon();
  }

  /** Hands on now what waits for the next flush: a state follows the rows that it speaks of. */
  settle(): void {
    if (this.#cancelFlush === undefined) return;
    this.#cancelFlush();
    this.#flush();
  }

  *sinks(): Iterable<Sink> {
    for (const { sinks } of this.#views.values()) yield* sinks;
  }

  /** Frees what is only kept for speed. */
  trim(): void {
    for (const { view } of this.#views.values()) view.trim();
  }

  dispose(): void {
    this.#cancelFlush?.();
    for (const view of this.#views.values()) release(view);
    this.#views.clear();
    this.#pending.clear();
  }

  #textOf(entry: Entry, names: readonly JoinName[]): string {
    const key = names.join(' ');
    const texts = this.#written?.get(key) ?? new Map<Entry, string>();
    const text = texts.get(entry) ?? rowText(entry, this.#cellsOf(entry, names));
    this.#written?.set(key, texts.set(entry, text));
    return text;
  }

  /** The cells of a row with these joins' values in them. */
  #cellsOf(entry: Entry, names: readonly JoinName[]): Entry['cells'] {
    const { kind, joins } = this.#options;
    if (names.length === 0) return entry.cells;
    return entry.cells.map((cell, index) => {
      const column = kind.columns[index];
      if (column?.join === undefined || !names.includes(column.join)) return cell;
      return joins(column.join, kind).cell(placeOf(entry.namespace, entry.name), column, entry.facts);
    });
  }

  /** Makes each row whose joined cells changed a change. */
  #takeTouched(): void {
    const touched = this.#touched;
    if (touched !== 'all' && touched.size === 0) return;
    for (const entry of this.#options.source.entries()) {
      if (touched !== 'all' && !touched.has(placeOf(entry.namespace, entry.name))) continue;
      this.#pending.set(entry.uid, { entry, gone: false, shown: true });
    }
    this.#touched = new Set();
  }

  #flush(): void {
    const { take, clock } = this.#options;
    take?.();
    this.#cancelFlush = undefined;
    this.#flushedAt = clock.now();
    this.#written = new Map();
    this.#takeTouched();
    let isSent = false;
    this.#isBusy = this.#pending.size * 1_000 >= manyChanges * this.#interval;
    for (const { view, sinks } of this.#views.values()) {
      const batch = view.flush(this.#pending);
      if (batch === undefined) continue;
      isSent = true;
      const isShared = sinks.size > 1;
      const bodies = batch.bodies.map((body) =>
        isShared || body.length > longForOne ? longBody(body) : body,
      );
      const shared = { ...batch, bodies };
      for (const sink of sinks) sink.changes(shared);
    }
    this.#pending.clear();
    this.#written = undefined;
    if (isSent) this.#options.onSent?.(clock.now() - this.#arrivedAt);
  }

  /** Flushes at once after a quiet while, else as soon as the last flush is long enough ago. */
  #flushSoon(): void {
    if (this.#cancelFlush !== undefined) return;
    const { clock } = this.#options;
    this.#interval = this.#isBusy ? flushOfMany : this.#sinkCount > manySinks ? flushForMany : flushInterval;
    this.#arrivedAt = clock.now();
    const wait = Math.max(firstFlush, this.#flushedAt + this.#interval - clock.now());
    this.#cancelFlush = clock.after(wait, () => this.#flush());
  }

  #touch(places: ReadonlySet<string> | 'all'): void {
    if (places === 'all') this.#touched = 'all';
    else if (this.#touched !== 'all') for (const place of places) this.#touched.add(place);
    this.#flushSoon();
  }

  /** Keeps joins going while a view shows them; one that cannot be had leaves its cells empty. */
  #retain(names: readonly JoinName[]): (() => void)[] {
    const { joins, kind, log } = this.#options;
    return names.flatMap((name) => {
      try {
        return joins(name, kind).retain((places) => this.#touch(places));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        log.debug({ err: error, join: name }, 'A join could not be opened');
        return [];
      }
    });
  }
}

function release(view: OpenView): void {
  for (const end of view.release) end();
}
