import type { Logger } from 'pino';
import { flushInterval } from '../../contract/live.ts';
import { Problem } from '../../contract/problem.ts';
import type { JoinName } from '../../registry/kind-action.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { longBody } from './channel.ts';
import type { Clock } from '../kit/clock.ts';
import type { Joins } from './joins/join.ts';
import { type Entry, placeOf } from './projector.ts';
import { type Batch, type Change, rowText } from './rows.ts';
import type { SharedText } from './shared-text.ts';
import { createView, type RowSource, type View, type ViewSpec, viewKey } from './view.ts';

/** The first change after a quiet while is flushed after this, ms: it brings along what comes in the same moment. */
const firstFlush = 5;
/** So many pages hear of changes half as often: what a flush costs is writing to each socket. */
const manySinks = 100;
/** Changes that many pages hear of are flushed at most this often (ms). */
const flushForMany = 200;
/** So many changes a second are told as often as pages draw them: what comes between would only be put together there. */
const manyChanges = 1_000;
/** Many changes are flushed at most this often (ms); no flush waits longer. */
export const flushOfMany = 250;

/**
 * Longer bodies are compressed for a single page too, characters: a browser reads a socket that is not always busy in
 * pieces of 1,000 bytes, each of which costs its main thread some 40 µs (Chromium 150).
 */
const longForOne = 8_000;

/** Who hears of a feed's rows. */
export interface Sink {
  /** The list is complete for the first time: send a snapshot. */
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
  readonly clock: Clock;
  readonly log: Logger;
}

/** The views of a feed and who sees them: collects changes and hands them on together. */
export interface FanOut {
  readonly size: number;
  /** Throws Problem 400 for a label selector that cannot be read. */
  join(spec: ViewSpec, sink: Sink): { readonly view: View; leave(): void };
  change(uid: string, entry: Entry | undefined, previous: Entry | undefined): void;
  /** Changes are about to be read: they are flushed as soon as if they had been. */
  expect(): void;
  /** Hands on now what waits for the next flush: a state is told after the rows that it speaks of. */
  settle(): void;
  sinks(): Iterable<Sink>;
  trim(): void;
  dispose(): void;
}

interface OpenView {
  readonly view: View;
  readonly sinks: Set<Sink>;
  /** Ends the joins that it shows. */
  readonly release: readonly (() => void)[];
}

export function createFanOut({ kind, source, joins, take, clock, log }: FanOutOptions): FanOut {
  const views = new Map<string, OpenView>();
  const pending = new Map<string, Change>();
  /** Places where a join gives something new. */
  let touched: Set<string> | 'all' = new Set();
  /** Rows written in this flush, shared by the views that show the same joins. */
  let written: Map<string, Map<Entry, string>> | undefined;
  let cancelFlush: (() => void) | undefined;
  /** Sinks of all views. */
  let audience = 0;
  /** How far apart flushes are at present, ms, and whether the last one had many changes. */
  let patience = flushInterval;
  let isBusy = false;
  let flushedAt = Number.NEGATIVE_INFINITY;

  const rows: RowSource = {
    ...source,
    text(entry, names) {
      const texts = written?.get(names.join(' ')) ?? new Map<Entry, string>();
      const text = texts.get(entry) ?? rowText(entry, joinCells(entry, names));
      written?.set(names.join(' '), texts.set(entry, text));
      return text;
    },
  };

  /** The cells of a row with these joins' values in them. */
  function joinCells(entry: Entry, names: readonly JoinName[]): Entry['cells'] {
    if (names.length === 0) return entry.cells;
    return entry.cells.map((cell, index) => {
      const column = kind.columns[index];
      if (column?.join === undefined || !names.includes(column.join)) return cell;
      return joins(column.join, kind).cell(placeOf(entry.namespace, entry.name), column, entry.facts);
    });
  }

  /** What joins touched becomes a change of its rows. */
  function takeTouched(): void {
    if (touched !== 'all' && touched.size === 0) return;
    for (const entry of source.entries()) {
      if (touched !== 'all' && !touched.has(placeOf(entry.namespace, entry.name))) continue;
      pending.set(entry.uid, { entry, gone: false, shown: true });
    }
    touched = new Set();
  }

  function flush(): void {
    take?.();
    cancelFlush = undefined;
    flushedAt = clock.now();
    written = new Map();
    takeTouched();
    isBusy = pending.size * 1_000 >= manyChanges * patience;
    for (const { view, sinks } of views.values()) {
      const batch = view.flush(pending);
      if (batch === undefined) continue;
      const isShared = sinks.size > 1;
      const bodies = batch.bodies.map((body) =>
        isShared || body.length > longForOne ? longBody(body) : body,
      );
      const shared = { ...batch, bodies };
      for (const sink of sinks) sink.changes(shared);
    }
    pending.clear();
    written = undefined;
  }

  /** Flushes at once after a quiet while, else as soon as the last flush is long enough ago. */
  function flushSoon(): void {
    if (cancelFlush !== undefined) return;
    patience = isBusy ? flushOfMany : audience > manySinks ? flushForMany : flushInterval;
    cancelFlush = clock.after(Math.max(firstFlush, flushedAt + patience - clock.now()), flush);
  }

  function touch(places: ReadonlySet<string> | 'all'): void {
    if (places === 'all') touched = 'all';
    else if (touched !== 'all') for (const place of places) touched.add(place);
    flushSoon();
  }

  /** Keeps joins going while a view shows them; one that cannot be had leaves its cells empty. */
  function retain(names: readonly JoinName[]): (() => void)[] {
    return names.flatMap((name) => {
      try {
        return joins(name, kind).retain(touch);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        log.debug({ err: error, join: name }, 'A join could not be opened');
        return [];
      }
    });
  }

  const end = ({ release }: OpenView) => {
    for (const stop of release) stop();
  };

  return {
    get size() {
      return views.size;
    },
    join(spec, sink) {
      const key = viewKey(spec);
      const known = views.get(key) ?? {
        view: createView(spec, kind, rows),
        sinks: new Set<Sink>(),
        release: retain(spec.joins ?? []),
      };
      views.set(key, known);
      known.sinks.add(sink);
      audience += 1;
      return {
        view: known.view,
        leave() {
          if (known.sinks.delete(sink)) audience -= 1;
          if (known.sinks.size > 0 || views.get(key) !== known) return;
          views.delete(key);
          end(known);
        },
      };
    },
    change(uid, entry, previous) {
      const last = entry ?? previous;
      if (last === undefined) return;
      const isShown = entry === undefined || entry.cells !== previous?.cells;
      pending.set(uid, {
        entry: last,
        gone: entry === undefined,
        shown: isShown || pending.get(uid)?.shown === true,
      });
      flushSoon();
    },
    expect: flushSoon,
    settle() {
      if (cancelFlush === undefined) return;
      cancelFlush();
      flush();
    },
    *sinks() {
      for (const { sinks } of views.values()) yield* sinks;
    },
    trim() {
      for (const { view } of views.values()) view.trim();
    },
    dispose() {
      cancelFlush?.();
      for (const view of views.values()) end(view);
      views.clear();
      pending.clear();
    },
  };
}
