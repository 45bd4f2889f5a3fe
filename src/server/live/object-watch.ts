import type { Logger } from 'pino';
import type { ListState } from '../../contract/live.ts';
import { objectPath } from '../../kube/change.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { objectIn } from '../objects/read.ts';
import type { Clock } from '../kit/clock.ts';
import { judge } from './faults.ts';
import { type Entry, identity, placeOf } from './projector.ts';

/** Times of an open object, ms. */
export const objectLimits = {
  /** How long versions older than what is shown may take to pass before the object is asked for again. */
  patience: 2_000,
  /** A first answer that failed is asked for again after this, then ever later. */
  retryFirst: 1_000,
  retryLongest: 30_000,
  /** An object whose kind may not be listed is asked for this often. */
  poll: 15_000,
} as const;

/** Who hears of one object. */
export interface ObjectSink {
  /** A version that was not told before. */
  version(object: KubeObject): void;
  /** There is no such object. @param at when it was seen to be deleted, ISO; null when it never was there */
  gone(at: string | null): void;
  /** The state may have changed. */
  state(): void;
}

/** A subscriber's side of an open object. */
export interface ObjectMembership {
  readonly object: KubeObject | undefined;
  readonly gone: { readonly at: string | null } | undefined;
  readonly state: ListState;
  leave(): void;
}

export interface ObjectWatchOptions {
  readonly kind: AnyKind;
  /** Name of the cluster. */
  readonly cluster: () => string;
  readonly transport: () => Promise<Transport>;
  /** What the list holds of an object. */
  readonly find: (namespace: string, name: string) => Entry | undefined;
  /** Whether the list is, or once was, complete. */
  readonly isReady: () => boolean;
  readonly state: (namespace: string | undefined) => ListState;
  readonly onClosed: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The objects of a kind that are open somewhere. They ride on the kind's reflector, which offers whole objects here. */
export interface ObjectWatches {
  readonly size: number;
  open(namespace: string, name: string, sink: ObjectSink): ObjectMembership;
  /** An object as a list or watch just gave it. */
  offer(object: KubeObject): void;
  /** An object is no more. */
  dropped(entry: Entry): void;
  /** A list is complete, or the state changed. */
  settled(): void;
  retry(): void;
  dispose(): void;
}

interface OpenObject {
  readonly sinks: Set<ObjectSink>;
  readonly watch: ObjectWatch;
}

export function createObjectWatches(options: ObjectWatchOptions): ObjectWatches {
  const open = new Map<string, OpenObject>();
  return {
    get size() {
      return open.size;
    },
    open(namespace, name, sink) {
      const place = placeOf(namespace, name);
      let known = open.get(place);
      if (known === undefined) {
        const sinks = new Set<ObjectSink>();
        known = { sinks, watch: createObjectWatch(options, namespace, name, sinks) };
        open.set(place, known);
      }
      const { sinks, watch } = known;
      sinks.add(sink);
      return {
        get object() {
          return watch.object;
        },
        get gone() {
          return watch.gone;
        },
        get state() {
          return watch.state;
        },
        leave() {
          sinks.delete(sink);
          if (sinks.size > 0 || open.get(place)?.watch !== watch) return;
          watch.dispose();
          open.delete(place);
          options.onClosed();
        },
      };
    },
    offer(object) {
      if (open.size === 0) return;
      const { namespace = '', name = '' } = object.metadata ?? {};
      open.get(placeOf(namespace, name))?.watch.offer(object);
    },
    dropped: (entry) => open.get(placeOf(entry.namespace, entry.name))?.watch.dropped(entry.uid),
    settled() {
      for (const { watch } of open.values()) watch.settled();
    },
    retry() {
      for (const { watch } of open.values()) watch.retry();
    },
    dispose() {
      for (const { watch } of open.values()) watch.dispose();
      open.clear();
    },
  };
}

interface ObjectWatch {
  readonly object: KubeObject | undefined;
  readonly gone: { readonly at: string | null } | undefined;
  readonly state: ListState;
  offer(object: KubeObject): void;
  dropped(uid: string): void;
  settled(): void;
  retry(): void;
  dispose(): void;
}

const versionOf = (object: KubeObject | undefined) => object?.metadata?.resourceVersion ?? '';

/**
 * One object: an initial GET, then what lists and watches offer, each version once and never an older one after a newer.
 *
 * Versions are opaque, so order is known from where they come: the reflector gives them in order, and a GET is never
 * older than what the reflector gave before it was asked. A GET whose version the reflector has not given yet is ahead
 * of it: what is offered until it gives that version is older and passed over. If that takes too long (the list may
 * have begun after the GET), the object is asked for again.
 */
function createObjectWatch(
  options: ObjectWatchOptions,
  namespace: string,
  name: string,
  sinks: ReadonlySet<ObjectSink>,
): ObjectWatch {
  const { kind, clock, log } = options;
  const scope = namespace === '' ? undefined : namespace;
  const lifetime = new AbortController();
  let object: KubeObject | undefined;
  let gone: { readonly at: string | null } | undefined;
  /** Uid of the object that was deleted: an answer under way may still bring it. */
  let buried: string | undefined;
  /** What is shown is ahead of the reflector. */
  let isAhead = false;
  /** Versions offered since the GET under way was begun. */
  let seen: string[] | undefined;
  let latest: KubeObject | undefined;
  let problem: ListState | undefined;
  let failures = 0;
  let cancelTimer: (() => void) | undefined;

  const now = () => new Date(clock.now()).toISOString();

  function tell(call: (sink: ObjectSink) => void): void {
    for (const sink of sinks) call(sink);
  }

  function show(next: KubeObject): void {
    problem = undefined;
    gone = undefined;
    object = next;
    tell((sink) => sink.version(next));
  }

  function bury(at: string | null): void {
    problem = undefined;
    isAhead = false;
    if (gone !== undefined) return;
    gone = { at };
    tell((sink) => sink.gone(at));
  }

  /** Asks again after a while, unless something else does before. */
  function arm(ms: number): void {
    cancelTimer ??= clock.after(ms, () => {
      cancelTimer = undefined;
      void fetch();
    });
  }

  function disarm(): void {
    cancelTimer?.();
    cancelTimer = undefined;
  }

  function accept(answer: KubeObject): void {
    const version = versionOf(answer);
    const given = seen ?? [];
    const uid = identity(answer);
    if (uid !== undefined && uid === buried) return;
    if (!given.includes(version)) {
      isAhead = true;
      if (object === undefined || gone !== undefined || versionOf(object) !== version) show(answer);
      return;
    }
    isAhead = false;
    const newest = latest ?? answer;
    if (object === undefined || gone !== undefined || versionOf(object) !== versionOf(newest)) show(newest);
  }

  async function fetch(): Promise<void> {
    if (seen !== undefined || lifetime.signal.aborted) return;
    disarm();
    const held = options.find(namespace, name);
    seen = held === undefined ? [] : [held.version];
    latest = undefined;
    try {
      const transport = await options.transport();
      const { group, version, plural } = kind;
      const path = objectPath({ group, version, plural, namespace: scope, name });
      const answer = objectIn(
        await transport.json<unknown>({ path, signal: lifetime.signal }),
        options.cluster(),
      );
      if (lifetime.signal.aborted) return;
      failures = 0;
      accept(answer);
    } catch (error) {
      if (!lifetime.signal.aborted) fail(error);
    } finally {
      seen = undefined;
      latest = undefined;
    }
    tell((sink) => sink.state());
    if (!options.isReady() && options.state(scope).status === 'forbidden') arm(objectLimits.poll);
  }

  function fail(error: unknown): void {
    if (error instanceof ClusterProblem && error.upstream.status === 404 && latest === undefined) {
      bury(object === undefined ? null : now());
      return;
    }
    failures += 1;
    const fault = judge(error, { cluster: options.cluster(), kind, namespace: scope }, 'list');
    if (fault.isOurs === true) log.error({ err: error, kind: kind.id }, 'An object could not be read');
    problem = {
      status: fault.type === 'denied' || fault.type === 'refused' ? 'forbidden' : 'unreachable',
      since: now(),
      attempt: failures,
      message: fault.message,
    };
    const { retryFirst, retryLongest } = objectLimits;
    arm(Math.min(retryLongest, retryFirst * 2 ** Math.min(failures - 1, 10)));
  }

  void fetch();

  return {
    get object() {
      return object;
    },
    get gone() {
      return gone;
    },
    get state(): ListState {
      const state = options.state(scope);
      if (object === undefined && gone === undefined) {
        const isRead = state.status === 'live' || state.status === 'polled';
        return problem ?? (isRead ? { status: 'loading', since: state.since } : state);
      }
      // It may be read but not listed: what is shown is as of the last question.
      return state.status === 'forbidden' ? { ...state, status: 'stale' } : state;
    },
    offer(next) {
      const version = versionOf(next);
      seen?.push(version);
      if (seen !== undefined) latest = next;
      if (identity(next) === buried) return;
      if (object !== undefined && gone === undefined) {
        if (versionOf(object) === version) {
          isAhead = false;
          disarm();
          return;
        }
        if (isAhead) {
          arm(objectLimits.patience);
          return;
        }
      }
      show(next);
    },
    dropped(uid) {
      // An older object of this name may go while a newer is shown already.
      if (object !== undefined && gone === undefined && identity(object) !== uid) return;
      buried = uid;
      bury(now());
    },
    settled() {
      if (options.isReady() && seen === undefined && gone === undefined && object !== undefined) {
        // A complete list without it: it was deleted between the GET and the list, or the list is older.
        if (options.find(namespace, name) === undefined) void fetch();
      }
      tell((sink) => sink.state());
    },
    retry() {
      if (object === undefined || problem !== undefined) void fetch();
    },
    dispose() {
      lifetime.abort();
      disarm();
    },
  };
}
