import type { Logger } from 'pino';
import type { ListState } from '../../contract/live.ts';
import type { Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import { BrokenWatch, type Fault, judge, SilentWatch, type Subject } from './faults.ts';
import { createFreshness } from './freshness.ts';
import { createIntake } from './intake.ts';
import { reflectorLimits } from './limits.ts';
import { createHeldEntries } from './held-entries.ts';
import { nextTurn, readList } from './list.ts';
import { type Entry, identity, type Projector } from './projector.ts';
import type { Pulse } from './pulse.ts';
import { followWatch, readEvent } from './watch.ts';
import type { Budget } from './weight.ts';

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
  /** Whether the cluster answers; without it only the list's own tries tell. */
  readonly pulse?: Pulse | undefined;
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
  const { clock, pulse } = options;
  const held = createHeldEntries(options);
  let listed = options.held !== undefined;
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
  /** A watch is open. */
  let isWatching = false;
  /** The running try had an answer. */
  let isReached = false;
  /** Lists in a row that were read but whose watch could not be opened. */
  let unwatched = 0;
  /** Set by restart: the running try ends without counting as a failure. */
  let restarted = false;
  let wake: (() => void) | undefined;
  let notBefore = 0;
  let lastRetry = Number.NEGATIVE_INFINITY;

  async function list(transport: Transport): Promise<void> {
    const next = await readList(options, transport, held.entries, held.weight, attempt.signal);
    held.become(next);
    version = next.version;
    unwatched += 1;
    listed = true;
    freshness.knownAt(clock.now());
    options.onState();
  }

  function accept(line: string): void {
    const event = readEvent(line);
    if (event.type === 'DELETED') held.drop(identity(event.object));
    else if (event.type !== 'BOOKMARK') held.put(event.object);
    version = event.object.metadata?.resourceVersion ?? version;
    expiries = 0;
    badResumes = 0;
  }

  const intake = createIntake(clock, accept, options.onWaiting);

  /** A watch from the version of a list is live at once, a resumed one when it had time to say what was missed. */
  function prove(wasListed: boolean): () => void {
    if (wasListed || freshness.state.status === 'live') {
      freshness.live();
      return () => {};
    }
    return clock.after(reflectorLimits.proof, () => {
      intake.take();
      if (intake.isOpen && pulse?.silence === undefined) freshness.live();
    });
  }

  /** @param wasListed the version is that of a list that was just read */
  async function watch(transport: Transport, wasListed: boolean): Promise<void> {
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
    isReached = true;
    unwatched = 0;
    const openedAt = clock.now();
    badResumes += 1;
    isWatching = true;
    const cancelProof = prove(wasListed);
    try {
      await followWatch(stream, attempt.signal, clock, intake, () => pulse?.hear());
      badResumes = 0;
      if (freshness.state.status === 'live') freshness.knownAt(clock.now());
    } catch (error) {
      // The rows are as old as the last word of a silent stream, or of a silent cluster.
      if (error instanceof SilentWatch) freshness.knownAt(error.heardAt);
      else if (freshness.state.status === 'live') freshness.knownAt(clock.now());
      throw error;
    } finally {
      isWatching = false;
      cancelProof();
      if (clock.now() - openedAt >= steady) failures = 0;
    }
    if (clock.now() - openedAt < steady) throw new BrokenWatch('The watch ended at once.');
  }

  const backoffMost = () =>
    pulse?.isWatched === true ? reflectorLimits.backoffWatched : reflectorLimits.backoffLongest;

  /** Exponential with jitter, ms. */
  function backoff(): number {
    const { backoffFirst } = reflectorLimits;
    const longest = Math.min(backoffMost(), backoffFirst * 2 ** Math.min(failures - 1, 20));
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
    if (fault.type !== 'lost') return Math.max(backoff(), fault.retryAfter ?? 0);
    pulse?.doubt();
    // A try that got no answer: what comes back may be another server, restored to another version.
    if (!isReached) version = undefined;
    // The pulse finds out when the cluster answers, and wakes every list then.
    if (pulse?.silence !== undefined) return reflectorLimits.backoffLongest;
    // The cluster answers but lets no watch through: reading the whole list at every try would be too much.
    if (unwatched >= reflectorLimits.unwatchedTries) return reflectorLimits.polled;
    return Math.min(Math.max(backoff(), fault.retryAfter ?? 0), backoffMost());
  }

  /** Decides state and wait (ms) after a failed try. */
  function settle(fault: Fault): number {
    failures += 1;
    switch (fault.type) {
      case 'expired':
        version = undefined;
        expiries += 1;
        if (listed) freshness.renewing(fault.message);
        else freshness.say('loading', failures, fault.message);
        return expiries === 1 ? 0 : backoff();
      case 'unwatchable':
        version = undefined;
        failures = 0;
        freshness.polled(fault.message);
        return reflectorLimits.polled;
      case 'denied':
        version = undefined;
        freshness.say('forbidden', failures, fault.message);
        return reflectorLimits.denied;
      case 'refused':
        freshness.say('forbidden', failures, fault.message);
        return reflectorLimits.denied;
      case 'absent':
        version = undefined;
        listed = false;
        held.clear();
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
    isReached = false;
    try {
      const transport = await options.transport();
      attempt.signal.throwIfAborted();
      // Versions of one cluster mean nothing to another: a new credential may lead elsewhere.
      if (transport.credential !== credential) version = undefined;
      credential = transport.credential;
      const isDue = version === undefined;
      if (isDue) await list(transport);
      during = 'watch';
      await watch(transport, isDue);
      freshness.renewing();
      return 0;
    } catch (error) {
      if (lifetime.signal.aborted || restarted) return 0;
      const fault = judge(error, options.subject(), during);
      const line = { err: error, path: options.path, fault: fault.type };
      if (fault.isOurs) options.log.error(line, 'A list failed for a reason of our own');
      else options.log.debug(line, 'A list broke');
      if (fault.type === 'denied') {
        const isTakenOver = await isNarrowed();
        if (isTakenOver || lifetime.signal.aborted || restarted) return 0;
      }
      return settle(fault);
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

  /** Ends the running try, or the wait for the next, and lists again. */
  function beginAnew(): void {
    version = undefined;
    failures = 0;
    expiries = 0;
    badResumes = 0;
    unwatched = 0;
    restarted = true;
    attempt.abort();
    wake?.();
  }

  const unfollow = pulse?.follow({
    silent({ since, message }) {
      const { status } = freshness.state;
      if (status === 'live' || status === 'polled' || status === 'silent') freshness.silent(since, message);
      else if (status === 'reconnecting' || status === 'stale') freshness.broken(failures, message);
      else if (status === 'loading' || status === 'unreachable')
        freshness.say('unreachable', failures, message);
    },
    back(how) {
      if (how === 'anew') {
        if (listed) freshness.resuming();
        beginAnew();
        return;
      }
      failures = 0;
      if (isWatching) {
        if (freshness.state.status === 'silent') freshness.live();
      } else if (clock.now() >= notBefore) wake?.();
    },
  });

  run().catch((error: unknown) => options.log.error({ err: error, path: options.path }, 'A list ended'));

  return {
    entries: held.entries,
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
      notBefore = 0;
      if (freshness.state.status === 'live') freshness.knownAt(clock.now());
      if (listed) freshness.broken(0);
      else freshness.say('loading', 0);
      beginAnew();
    },
    dispose() {
      lifetime.abort();
      unfollow?.();
      held.dispose();
      freshness.dispose();
      attempt.abort();
      wake?.();
    },
  };
}
