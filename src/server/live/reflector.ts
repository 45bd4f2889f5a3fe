import type { Logger } from 'pino';
import type { ListState } from '../../contract/live.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Transport } from '../clusters/transport.ts';
import type { Clock } from './clock.ts';
import { BrokenWatch, type Fault, judge, SilentWatch, type Subject } from './faults.ts';
import { createFreshness } from './freshness.ts';
import { createIntake } from './intake.ts';
import { reflectorLimits } from './limits.ts';
import { nextTurn, readList, requireRoom, tooMany } from './list.ts';
import { type Entry, identity, type Projector } from './projector.ts';
import { followWatch, readEvent } from './watch.ts';
import { createTurns } from './turns.ts';
import { type Budget, weightGained, weightOf } from './weight.ts';

export interface ReflectorOptions {
  /** Path of the collection. */
  readonly path: string;
  readonly subject: () => Subject;
  /** The way to the cluster, asked for on every try. */
  readonly transport: () => Promise<Transport>;
  readonly project: Projector;
  /** What an entry is at a time, epoch seconds; without it, time changes none. */
  readonly advance?: (entry: Entry, now: number) => Entry;
  readonly clock: Clock;
  readonly log: Logger;
  /** Shared by all lists of the server: what this one holds is taken from it until it is disposed. */
  readonly budget: Budget;
  /** Entries known from before (another credential or scope): the first list brings only what differs. */
  readonly held?: ReadonlyMap<string, Entry> | undefined;
  /** `entry` undefined: gone. Called for real changes only; `previous` is what was held. */
  readonly onChange: (uid: string, entry: Entry | undefined, previous: Entry | undefined) => void;
  /** After each complete list and each change of state. */
  readonly onState: () => void;
  /** Something came that is read soon, or with `take`. */
  readonly onWaiting?: () => void;
  /** The list was denied (403): true when the owner took over with narrower reflectors and disposed this one. */
  readonly onDenied?: () => Promise<boolean>;
}

/** One list+watch. */
export interface Reflector {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly state: ListState;
  /** Whether `entries` is, or once was, a complete list. */
  readonly listed: boolean;
  /** Reads what came of the watch and waits to be read. */
  take(): void;
  /** Tries again now instead of waiting (but not before a time that the cluster asked for). */
  retry(): void;
  /** Lists again with the current credential; rows are kept and compared. */
  restart(): void;
  /** Stops everything: requests, stream, timers. */
  dispose(): void;
}

/** Keeps a list true: paged list, watch with bookmarks, resume, relist on 410, backoff; the rest are states. */
export function createReflector(options: ReflectorOptions): Reflector {
  const { clock, project } = options;
  const entries = new Map(options.held);
  let listed = options.held !== undefined;
  /** Of the entries together, bytes. */
  let weight = 0;
  const freshness = createFreshness(clock, listed ? 'reconnecting' : 'loading', options.onState);
  /** Where the watch resumes; undefined: list first. Opaque. */
  let version: string | undefined;
  let credential: string | undefined;
  /** Failed tries in a row. */
  let failures = 0;
  /** In a row, without a usable line between: watches opened or refused, versions that were too old. */
  let badResumes = 0;
  let expiries = 0;
  const lifetime = new AbortController();
  let attempt = new AbortController();
  /** Set by restart: the running try ends without counting as a failure. */
  let restarted = false;
  let wake: (() => void) | undefined;
  let notBefore = 0;
  let lastRetry = Number.NEGATIVE_INFINITY;

  /** Takes what the entries weigh from the budget, in place of what they weighed. */
  function weigh(next: number): void {
    options.budget.held += next - weight;
    weight = next;
  }

  const turns = createTurns(clock, turn);

  for (const entry of entries.values()) {
    weigh(weight + weightOf(entry));
    turns.set(entry.uid, entry.later?.at);
  }

  /** Puts entries forward that time alone changes. */
  function turn(uids: readonly string[]): void {
    for (const uid of uids) {
      const previous = entries.get(uid);
      const entry = previous && options.advance?.(previous, clock.now() / 1000);
      if (entry === undefined || previous === undefined || entry === previous) continue;
      weigh(weight + weightGained(entry, previous));
      replace(entry, previous);
    }
  }

  function replace(entry: Entry, previous: Entry | undefined): void {
    entries.set(entry.uid, entry);
    turns.set(entry.uid, entry.later?.at);
    options.onChange(entry.uid, entry, previous);
  }

  function put(object: KubeObject): void {
    const uid = identity(object);
    const previous = uid === undefined ? undefined : entries.get(uid);
    const entry = project(object, previous);
    if (entry === undefined || entry === previous) return;
    if (previous === undefined && entries.size >= reflectorLimits.objects) throw tooMany(options.subject());
    const next = weight + (previous === undefined ? weightOf(entry) : weightGained(entry, previous));
    if (next > weight) requireRoom(next, weight, options.budget, options.subject());
    weigh(next);
    replace(entry, previous);
  }

  function drop(uid: string | undefined): void {
    const previous = uid === undefined ? undefined : entries.get(uid);
    if (previous === undefined) return;
    entries.delete(previous.uid);
    turns.set(previous.uid, undefined);
    weigh(weight - weightOf(previous));
    options.onChange(previous.uid, undefined, previous);
  }

  async function list(transport: Transport): Promise<void> {
    const next = await readList(options, transport, entries, weight, attempt.signal);
    for (const uid of entries.keys()) if (!next.entries.has(uid)) drop(uid);
    for (const [uid, entry] of next.entries) {
      const previous = entries.get(uid);
      if (previous === entry) continue;
      replace(entry, previous);
    }
    weigh(next.weight);
    version = next.version;
    listed = true;
    freshness.knownAt(clock.now());
    options.onState();
  }

  function accept(line: string): void {
    const event = readEvent(line);
    if (event.type === 'DELETED') drop(identity(event.object));
    else if (event.type !== 'BOOKMARK') put(event.object);
    version = event.object.metadata?.resourceVersion ?? version;
    expiries = 0;
    badResumes = 0;
  }

  const intake = createIntake(clock, accept, options.onWaiting);

  async function watch(transport: Transport): Promise<void> {
    const { watchShortest, watchLongest, steady } = reflectorLimits;
    const lasts = Math.round((watchShortest + clock.random() * (watchLongest - watchShortest)) / 1000);
    const stream = await transport.stream({
      path: options.path,
      query: {
        watch: true,
        allowWatchBookmarks: true,
        resourceVersion: version === '' ? undefined : version,
        timeoutSeconds: lasts,
      },
      signal: attempt.signal,
    });
    if (attempt.signal.aborted) stream.close();
    attempt.signal.throwIfAborted();
    const openedAt = clock.now();
    badResumes += 1;
    freshness.live();
    try {
      await followWatch(stream, attempt.signal, clock, intake);
      badResumes = 0;
      freshness.knownAt(clock.now());
    } catch (error) {
      // What a silent stream last said is how old the rows are.
      freshness.knownAt(error instanceof SilentWatch ? error.heardAt : clock.now());
      throw error;
    } finally {
      if (clock.now() - openedAt >= steady) failures = 0;
    }
    if (clock.now() - openedAt < steady) throw new BrokenWatch('The watch ended at once.');
  }

  /** Exponential with jitter, ms. */
  function backoff(): number {
    const { backoffFirst, backoffLongest } = reflectorLimits;
    const longest = Math.min(backoffLongest, backoffFirst * 2 ** Math.min(failures - 1, 20));
    return longest * (0.5 + clock.random() / 2);
  }

  /** State and wait (ms) after a failure that the next try may well not meet. */
  function brokenOff(fault: Fault): number {
    if (badResumes >= reflectorLimits.resumeTries) {
      badResumes = 0;
      version = undefined;
    }
    if (listed) freshness.broken(failures, fault.message);
    else freshness.say(fault.type === 'throttled' ? 'loading' : 'unreachable', failures, fault.message);
    return Math.max(backoff(), fault.retryAfter ?? 0);
  }

  /** Decides state and wait (ms) after a failed try. */
  function settle(fault: Fault, during: 'list' | 'watch'): number {
    failures += 1;
    switch (fault.type) {
      case 'expired':
        version = undefined;
        expiries += 1;
        if (listed) freshness.renewing(fault.message);
        else freshness.say('loading', failures, fault.message);
        return expiries === 1 ? 0 : backoff();
      case 'denied':
        version = undefined;
        freshness.say(during === 'watch' ? 'stale' : 'forbidden', failures, fault.message);
        return reflectorLimits.denied;
      case 'refused':
        freshness.say('forbidden', failures, fault.message);
        return reflectorLimits.denied;
      case 'absent':
        version = undefined;
        listed = false;
        for (const uid of entries.keys()) drop(uid);
        freshness.say('absent', failures, fault.message);
        return reflectorLimits.absent;
      case 'throttled':
        notBefore = clock.now() + (fault.retryAfter ?? 0);
        break;
      case 'failed':
        badResumes += 1;
        break;
      case 'lost':
        break;
    }
    return brokenOff(fault);
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        wake = undefined;
        resolve();
      };
      const cancel = clock.after(ms, done);
      wake = done;
    });
  }

  /** Whether the owner reads something narrower instead. */
  async function isNarrowed(): Promise<boolean> {
    try {
      return (await options.onDenied?.()) === true;
    } catch (error) {
      options.log.debug({ err: error, path: options.path }, 'What may be read instead was not found');
      return false;
    }
  }

  /** One try; returns how long to wait before the next, ms. */
  async function tryOnce(): Promise<number> {
    let during: 'list' | 'watch' = 'list';
    try {
      const transport = await options.transport();
      attempt.signal.throwIfAborted();
      // Versions of one cluster mean nothing to another: a new credential may lead elsewhere.
      if (transport.credential !== credential) version = undefined;
      credential = transport.credential;
      if (version === undefined) await list(transport);
      during = 'watch';
      await watch(transport);
      freshness.renewing();
      return 0;
    } catch (error) {
      if (lifetime.signal.aborted || restarted) return 0;
      const fault = judge(error, options.subject(), during);
      const line = { err: error, path: options.path, fault: fault.type };
      if (fault.isOurs) options.log.error(line, 'A list failed for a reason of our own');
      else options.log.debug(line, 'A list broke');
      if (fault.type === 'denied' && during === 'list') {
        const isTakenOver = await isNarrowed();
        if (isTakenOver || lifetime.signal.aborted || restarted) return 0;
      }
      return settle(fault, during);
    }
  }

  async function run(): Promise<void> {
    // The owner has the reflector in hand before anything is called.
    await nextTurn();
    while (!lifetime.signal.aborted) {
      attempt = new AbortController();
      restarted = false;
      const wait = await tryOnce();
      if (wait > 0 && !lifetime.signal.aborted && !restarted) await pause(wait);
    }
  }

  run().catch((error: unknown) => options.log.error({ err: error, path: options.path }, 'A list ended'));

  return {
    entries,
    get state() {
      return freshness.state;
    },
    get listed() {
      return listed;
    },
    take() {
      intake.take();
    },
    retry() {
      const now = clock.now();
      if (wake === undefined || now < notBefore || now - lastRetry < reflectorLimits.retryEvery) return;
      lastRetry = now;
      wake();
    },
    restart() {
      version = undefined;
      failures = 0;
      expiries = 0;
      badResumes = 0;
      notBefore = 0;
      restarted = true;
      if (freshness.state.status === 'live') freshness.knownAt(clock.now());
      if (listed) freshness.broken(0);
      else freshness.say('loading', 0);
      attempt.abort();
      wake?.();
    },
    dispose() {
      lifetime.abort();
      weigh(0);
      turns.dispose();
      freshness.dispose();
      attempt.abort();
      wake?.();
    },
  };
}
