import type { Logger } from 'pino';
import type { ListState } from '../../../contract/live.ts';
import { objectPath } from '../../../kube/change.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { ClusterProblem, type Transport } from '../../clusters/transport.ts';
import { objectIn } from '../../objects/read.ts';
import type { Clock } from '../../kit/clock.ts';
import { judge } from './faults.ts';
import { type Entry, identity } from './projector.ts';

/** Times of an open object, ms. */
export const objectLimits = {
  /** The reflector may take this long to reach the version that a GET gave; then the object is requested again. */
  patience: 2_000,
  /** A version that came while a GET was under way is requested after this. */
  behind: 100,
  /** Pause before the first retry of a failed GET; each further pause is twice as long. */
  minRetryPause: 1_000,
  maxRetryPause: 30_000,
  /** Interval of the GETs of an object whose kind may not be listed. */
  poll: 15_000,
} as const;

/** Follows one object. */
export interface ObjectSink {
  /** Called once with each version. */
  version(object: KubeObject): void;
  /** There is no such object. @param at when its deletion was seen, ISO; null when there never was one */
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

/** Inputs of an open object's watch, from its cluster and its kind's list. */
export interface ObjectWatchOptions {
  readonly kind: AnyKind;
  /** Name of the cluster. */
  readonly cluster: () => string;
  readonly transport: () => Promise<Transport>;
  /** The object's entry in the list. */
  readonly find: (namespace: string, name: string) => Entry | undefined;
  /** Whether the list is, or once was, complete. */
  readonly isReady: () => boolean;
  /** State of the list. */
  readonly state: (namespace: string | undefined) => ListState;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Which object a watch is of, and who follows it. */
export interface WatchedObject {
  /** Empty for an object of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly sinks: ReadonlySet<ObjectSink>;
}

/** A GET under way. */
interface PendingGet {
  /** Versions that the reflector gave: the last before the GET was begun, and all since. */
  readonly versions: string[];
  /** The newest object that the reflector gave since the GET was begun. */
  latest: KubeObject | undefined;
}

const versionOf = (object: KubeObject | undefined) => object?.metadata?.resourceVersion ?? '';

/**
 * One object: an initial GET, then what lists and watches offer, each version once and never an older one after a newer.
 *
 * Versions are opaque, so their order follows from where they come from: the reflector gives them in order, and a GET is
 * never older than what the reflector gave before the GET was begun. A GET whose version the reflector has not given yet
 * is ahead of it: what the reflector offers until it gives that version is older and is dropped. If that takes too long
 * (the list may have begun after the GET), the object is requested again.
 */
export class ObjectWatch {
  readonly #options: ObjectWatchOptions;
  readonly #watched: WatchedObject;
  /** Namespace for requests: undefined for an object of the cluster. */
  readonly #scope: string | undefined;
  readonly #lifetime = new AbortController();
  #object: KubeObject | undefined;
  #gone: { readonly at: string | null } | undefined;
  /** Uid of the object that was deleted: a GET under way may still give it. */
  #deletedUid: string | undefined;
  /** Whether the present version is newer than what the reflector gave. */
  #isAhead = false;
  #get: PendingGet | undefined;
  #problem: ListState | undefined;
  /** GETs that failed in a row. */
  #failures = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(options: ObjectWatchOptions, watched: WatchedObject) {
    this.#options = options;
    this.#watched = watched;
    this.#scope = watched.namespace === '' ? undefined : watched.namespace;
    void this.#fetch();
  }

  /** The newest version; after a deletion the last one. */
  get object(): KubeObject | undefined {
    return this.#object;
  }

  get gone(): { readonly at: string | null } | undefined {
    return this.#gone;
  }

  get state(): ListState {
    const state = this.#options.state(this.#scope);
    if (this.#object === undefined && this.#gone === undefined) {
      const isRead = state.status === 'live' || state.status === 'polled';
      return this.#problem ?? (isRead ? { status: 'loading', since: state.since } : state);
    }
    // The object may be read but its kind may not be listed: it is as of the last GET.
    return state.status === 'forbidden' ? { ...state, status: 'stale' } : state;
  }

  /** Takes an object as a list or watch just gave it. */
  offer(object: KubeObject): void {
    const version = versionOf(object);
    if (this.#get !== undefined) {
      this.#get.versions.push(version);
      this.#get.latest = object;
    }
    if (identity(object) === this.#deletedUid) return;
    if (this.#object !== undefined && this.#gone === undefined) {
      if (versionOf(this.#object) === version) {
        this.#isAhead = false;
        this.#disarm();
        return;
      }
      if (this.#isAhead) {
        this.#arm(objectLimits.patience);
        return;
      }
    }
    this.#show(object);
  }

  /** Takes the version that the list gives the object, which has to be requested. */
  noted(version: string): void {
    if (this.#get !== undefined) this.#get.versions.push(version);
    else if (versionOf(this.#object) === version && this.#gone === undefined) {
      this.#isAhead = false;
      this.#disarm();
    } else if (this.#isAhead) this.#arm(objectLimits.patience);
    else void this.#fetch();
  }

  /** Takes that the object with this uid was deleted. */
  dropped(uid: string): void {
    // An older object of this name may be deleted after a newer one was shown.
    if (this.#object !== undefined && this.#gone === undefined && identity(this.#object) !== uid) return;
    this.#deletedUid = uid;
    this.#end(this.#now());
  }

  /** The list is complete, or its state changed. */
  settled(): void {
    const { isReady, find } = this.#options;
    const { namespace, name } = this.#watched;
    const isPresent = this.#object !== undefined && this.#gone === undefined;
    // A complete list without it: it was deleted between the GET and the list, or the list is older. One with another
    // version that was not offered: the list has parts of objects alone.
    if (isPresent && this.#get === undefined && isReady()) {
      const entry = find(namespace, name);
      if (entry === undefined || (!this.#isAhead && entry.version !== versionOf(this.#object)))
        void this.#fetch();
    }
    this.#each((sink) => sink.state());
  }

  /** Requests the object at once if it was not read. */
  retry(): void {
    if (this.#object === undefined || this.#problem !== undefined) void this.#fetch();
  }

  dispose(): void {
    this.#lifetime.abort();
    this.#disarm();
  }

  async #fetch(): Promise<void> {
    const { signal } = this.#lifetime;
    if (this.#get !== undefined || signal.aborted) return;
    this.#disarm();
    const entry = this.#options.find(this.#watched.namespace, this.#watched.name);
    const get: PendingGet = { versions: entry === undefined ? [] : [entry.version], latest: undefined };
    this.#get = get;
    try {
      const answer = await this.#request(signal);
      if (signal.aborted) return;
      this.#failures = 0;
      this.#accept(answer, get);
    } catch (error) {
      if (!signal.aborted) this.#fail(error, get);
    } finally {
      this.#get = undefined;
    }
    this.#each((sink) => sink.state());
    const { isReady, state } = this.#options;
    if (!isReady() && state(this.#scope).status === 'forbidden') this.#arm(objectLimits.poll);
  }

  async #request(signal: AbortSignal): Promise<KubeObject> {
    const { kind, cluster } = this.#options;
    const transport = await this.#options.transport();
    const { group, version, plural } = kind;
    const path = objectPath({ group, version, plural, namespace: this.#scope, name: this.#watched.name });
    return objectIn(await transport.json<unknown>({ path, signal }), cluster());
  }

  /** Takes what a GET gave. */
  #accept(answer: KubeObject, { versions, latest }: PendingGet): void {
    const uid = identity(answer);
    if (uid !== undefined && uid === this.#deletedUid) return;
    this.#isAhead = !versions.includes(versionOf(answer));
    // What the list gave since then was not offered: it is requested.
    if (!this.#isAhead && latest === undefined && versions.at(-1) !== versionOf(answer))
      this.#arm(objectLimits.behind);
    const newest = this.#isAhead ? answer : (latest ?? answer);
    const isShown = this.#object !== undefined && this.#gone === undefined;
    if (!isShown || versionOf(this.#object) !== versionOf(newest)) this.#show(newest);
  }

  /** Takes that a GET failed: the object does not exist, or the GET is repeated with growing pauses. */
  #fail(error: unknown, { latest }: PendingGet): void {
    const { kind, cluster, log } = this.#options;
    if (error instanceof ClusterProblem && error.upstream.status === 404 && latest === undefined) {
      this.#end(this.#object === undefined ? null : this.#now());
      return;
    }
    this.#failures += 1;
    const fault = judge(error, { cluster: cluster(), kind, namespace: this.#scope }, 'list');
    if (fault.isOurs === true) log.error({ err: error, kind: kind.id }, 'An object could not be read');
    this.#problem = {
      status: fault.type === 'denied' || fault.type === 'refused' ? 'forbidden' : 'unreachable',
      since: this.#now(),
      attempt: this.#failures,
      message: fault.message,
    };
    const { minRetryPause, maxRetryPause } = objectLimits;
    this.#arm(Math.min(maxRetryPause, minRetryPause * 2 ** Math.min(this.#failures - 1, 10)));
  }

  #show(object: KubeObject): void {
    this.#problem = undefined;
    this.#gone = undefined;
    this.#object = object;
    this.#each((sink) => sink.version(object));
  }

  /** There is no such object. @param at when it was deleted, ISO; null when there never was one */
  #end(at: string | null): void {
    this.#problem = undefined;
    this.#isAhead = false;
    if (this.#gone !== undefined) return;
    this.#gone = { at };
    this.#each((sink) => sink.gone(at));
  }

  #each(call: (sink: ObjectSink) => void): void {
    for (const sink of this.#watched.sinks) call(sink);
  }

  /** Requests the object again after a while (ms), unless a timer runs already. */
  #arm(ms: number): void {
    this.#cancelTimer ??= this.#options.clock.after(ms, () => {
      this.#cancelTimer = undefined;
      void this.#fetch();
    });
  }

  #disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}
