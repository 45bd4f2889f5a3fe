import type { ListState } from '../../../contract/live.ts';
import type { Namespaces } from '../../access/held.ts';
import type { Clock } from '../../kit/clock.ts';
import type { FanOut, Sink } from './fan-out.ts';
import type { Entry } from '../source/projector.ts';
import type { RowSource, View, ViewSpec } from './view.ts';

/** How long a feed goes on after its last subscriber, ms: what it took is returned within a minute. */
export const feedGrace = 45_000;

/** Who follows a feed inside the server, change by change. */
export interface Tap {
  /** `entry` undefined: gone. */
  changed(entry: Entry | undefined, previous: Entry | undefined): void;
  /** Nothing that is held of an object changed but its version. */
  touched?(entry: Entry): void;
  /** The list is complete for the first time, or the state may have changed. */
  settled(): void;
  /** The list was ended for one that is wanted more. */
  ended?(): void;
}

/** A tap's side of a feed. A tap judges by what there is: before the list is complete there is nothing for it. */
export interface Tapped {
  readonly isReady: boolean;
  readonly state: ListState;
  /** The state for people who may know of these namespaces only: no other is named in it. */
  stateWithin(namespaces: Namespaces): ListState;
  /**
   * Whether `entries` has every object of a namespace as the cluster has it now, so that what is not among them does not
   * exist. The namespace is empty for objects of the cluster.
   */
  isWhole(namespace: string): boolean;
  /** The namespaces whose lists were read once; the empty name is the whole cluster. */
  readonly scopes: readonly string[];
  entries(): Iterable<Entry>;
  find(uid: string): Entry | undefined;
  leave(): void;
}

/** A subscription's side of a feed. */
export interface Membership {
  readonly view: View;
  /** The list is complete. */
  readonly isReady: boolean;
  /** The first rows are there; unless it is ready, more are to come. */
  readonly isBegun: boolean;
  readonly state: ListState;
  leave(): void;
}

/** The rows that somebody asks about. */
export type RowsRead = Pick<ViewSpec, 'namespace' | 'within'>;

export interface AudienceOptions {
  readonly fanOut: FanOut;
  readonly source: Pick<RowSource, 'entries' | 'find'>;
  /** The list is complete. */
  readonly isReady: () => boolean;
  /** The first rows are there. */
  readonly isBegun: () => boolean;
  /** Of some rows, or of all of them. */
  readonly stateOf: (rows: RowsRead) => ListState;
  /** Whether every object of a namespace is held as it is now; the namespace is empty for objects of the cluster. */
  readonly isWhole: (namespace: string) => boolean;
  /** The namespaces whose lists were read once; the empty name is the whole cluster. */
  readonly scopes: () => readonly string[];
  /** Whether somebody has one of the objects open. */
  readonly hasOpen: () => boolean;
  /** Nobody came for a while, or came back. */
  readonly onUnused: () => void;
  readonly clock: Clock;
}

/** Everybody who follows a feed: the seats of pages, and the taps of the server's own parts. */
export interface Audience {
  /** Throws Problem 400 for a label selector that cannot be read. */
  readonly join: (spec: ViewSpec, sink: Sink) => Membership;
  readonly tap: (listener: Tap) => Tapped;
  /** Somebody is there: it goes on. */
  keep(): void;
  /** Nobody is there. */
  readonly isUnused: boolean;
  /** Ends it, and tells the taps afterwards. */
  giveWay(end: () => void): void;
  /** Somebody left: it ends after a while without anybody. */
  leaveIfUnused(): void;
  /** The first rows of a list are there, which is still being read. */
  begun(): void;
  /** Tells of a change; before the first rows nobody has any that could change, and taps not before all of them. */
  change(uid: string, entry: Entry | undefined, previous: Entry | undefined): void;
  /** Tells the taps that an object has another version, and nothing else. */
  touch(entry: Entry): void;
  /** Tells that the list is complete for the first time, or that the state may have changed. */
  settled(becomesReady: boolean): void;
  dispose(): void;
}

/** Begins with nobody: who does not come within the grace finds it ended. */
export function createAudience(options: AudienceOptions): Audience {
  const { fanOut, source, isReady, isBegun, stateOf, clock } = options;
  const taps = new Set<Tap>();
  let isDisposed = false;
  let cancelGrace: (() => void) | undefined = clock.after(feedGrace, options.onUnused);

  function keep(): void {
    cancelGrace?.();
    cancelGrace = undefined;
  }

  const isUnused = () => fanOut.size === 0 && taps.size === 0 && !options.hasOpen();

  function leaveIfUnused(): void {
    if (!isUnused() || isDisposed) return;
    cancelGrace ??= clock.after(feedGrace, options.onUnused);
  }

  return {
    join(spec, sink) {
      const seat = fanOut.join(spec, sink);
      keep();
      return {
        view: seat.view,
        get isReady() {
          return isReady();
        },
        get isBegun() {
          return isBegun();
        },
        get state() {
          return stateOf(spec);
        },
        leave() {
          seat.leave();
          leaveIfUnused();
        },
      };
    },
    tap(listener) {
      keep();
      taps.add(listener);
      return {
        get isReady() {
          return isReady();
        },
        get state() {
          return stateOf({});
        },
        stateWithin: (namespaces) => stateOf(namespaces === 'all' ? {} : { within: namespaces }),
        isWhole: options.isWhole,
        get scopes() {
          return options.scopes();
        },
        entries: () => (isReady() ? source.entries() : []),
        find: (uid) => (isReady() ? source.find(uid) : undefined),
        leave() {
          taps.delete(listener);
          leaveIfUnused();
        },
      };
    },
    keep,
    get isUnused() {
      return isUnused();
    },
    giveWay(end) {
      const told = [...taps];
      end();
      for (const tap of told) tap.ended?.();
    },
    leaveIfUnused,
    begun() {
      for (const sink of fanOut.sinks()) sink.begun?.();
    },
    change(uid, entry, previous) {
      if (!isBegun()) return;
      fanOut.change(uid, entry, previous);
      if (!isReady()) return;
      for (const tap of taps) tap.changed(entry, previous);
    },
    touch(entry) {
      if (isReady()) for (const tap of taps) tap.touched?.(entry);
    },
    settled(becomesReady) {
      fanOut.settle();
      for (const sink of fanOut.sinks()) {
        if (becomesReady) sink.ready();
        sink.state();
      }
      for (const tap of taps) tap.settled();
    },
    dispose() {
      isDisposed = true;
      cancelGrace?.();
      fanOut.dispose();
      taps.clear();
    },
  };
}
