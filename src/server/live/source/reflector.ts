import type { ListState } from '../../../contract/live.ts';
import type { KubeStream, Transport } from '../../clusters/transport.ts';
import { outsideTurns } from '../../kit/turns.ts';
import {
  BrokenWatch,
  type Fault,
  isCut,
  judge,
  SilentWatch,
  WithheldWatch,
  withheldMessage,
} from './faults.ts';
import { createFreshness, type FreshnessKeeper } from './freshness.ts';
import { createIntake, type Intake } from './intake.ts';
import { reflectorLimits } from './limits.ts';
import { createHeldEntries, type HeldEntries } from './held-entries.ts';
import { type Listed, nextTurn, NoMemory, readList, TooLarge } from './list.ts';
import { type Entry, identity } from './projector.ts';
import { Retries } from './retries.ts';
import { followWatch, readEvent } from './watch.ts';
import type { ListTransport, ReflectorOptions } from './reflector-options.ts';

/** One list+watch. */
export interface Reflector {
  /** All of them once `listed`; before, with `onPage`, those that were read so far. */
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
  /** Lists again by the way that is right now, which takes no credential away: that is shown only if it takes long. */
  reroute(): void;
  /** Stops everything: requests, stream, timers. */
  dispose(): void;
}

/** Keeps a list true: paged list, watch with bookmarks, resume, relist on 410, backoff; the rest are states. */
class ListReflector implements Reflector {
  readonly #options: ReflectorOptions;
  readonly #held: HeldEntries;
  readonly #freshness: FreshnessKeeper;
  readonly #retries: Retries;
  readonly #intake: Intake;
  readonly #lifetime = new AbortController();
  readonly #unfollow: (() => void) | undefined;
  #listed: boolean;
  /** Where the watch resumes; undefined: list first. Opaque. */
  #version: string | undefined;
  #credential: string | undefined;
  #attempt = new AbortController();
  /** A watch is open. */
  #isWatching = false;
  /** The last watch was not answered in time, although its list was: after the watch comes a list. */
  #isWithheld = false;
  /** The last watch broke: the next one is proven before its rows are called live. */
  #isBroken = false;
  /** The running try was replaced by a list from the beginning: its end does not count as a failure. */
  #isRestarted = false;
  /** Ends the wait for the next try; undefined while none is waited for. */
  #wake: (() => void) | undefined;
  /** The cluster asked for no try before this time, epoch ms. */
  #notBefore = 0;
  #lastRetry = Number.NEGATIVE_INFINITY;

  constructor(options: ReflectorOptions) {
    const { clock, pulse, held, path, log } = options;
    this.#options = options;
    this.#held = createHeldEntries(options);
    this.#listed = held !== undefined;
    this.#freshness = createFreshness(clock, this.#listed ? 'reconnecting' : 'loading', options.onState);
    this.#retries = new Retries({ clock, freshness: this.#freshness, pulse });
    this.#intake = createIntake(clock, (line) => this.#accept(line), options.onWaiting);
    this.#unfollow = pulse?.follow({
      silent: ({ since, message }) => this.#fallSilent(since, message),
      back: (how) => this.#comeBack(how === 'anew'),
    });
    outsideTurns(() => this.#run()).catch((error: unknown) =>
      log.error({ err: error, path }, 'A list ended'),
    );
  }

  get entries(): ReadonlyMap<string, Entry> {
    return this.#held.entries;
  }

  get state(): ListState {
    return this.#freshness.state;
  }

  get listed(): boolean {
    return this.#listed;
  }

  take(): void {
    this.#intake.take();
  }

  retry(): void {
    const now = this.#options.clock.now();
    const isTooEarly = now < this.#notBefore || now - this.#lastRetry < reflectorLimits.retryEvery;
    if (this.#wake === undefined || isTooEarly) return;
    this.#lastRetry = now;
    this.#wake();
  }

  restart(): void {
    const freshness = this.#freshness;
    this.#notBefore = 0;
    if (freshness.state.status === 'live') freshness.knownAt(this.#options.clock.now());
    if (this.#listed) freshness.broken(0);
    else freshness.say('loading', 0);
    this.#beginAnew();
  }

  reroute(): void {
    if (this.#freshness.state.status === 'live') this.#freshness.knownAt(this.#options.clock.now());
    this.#freshness.renewing();
    this.#beginAnew();
  }

  dispose(): void {
    this.#lifetime.abort();
    this.#unfollow?.();
    this.#held.dispose();
    this.#freshness.dispose();
    this.#attempt.abort();
    this.#wake?.();
  }

  async #run(): Promise<void> {
    // The owner has the reflector in hand before anything is called.
    await nextTurn();
    while (!this.#lifetime.signal.aborted) {
      this.#attempt = new AbortController();
      this.#isRestarted = false;
      const wait = await this.#tryOnce();
      if (wait > 0 && !this.#isOver()) await this.#pause(wait);
    }
  }

  /** Whether the running attempt has been replaced. */
  #isOver(): boolean {
    return this.#lifetime.signal.aborted || this.#isRestarted;
  }

  /** One try; returns how long to wait before the next, ms. */
  async #tryOnce(): Promise<number> {
    let during: 'list' | 'watch' = 'list';
    this.#retries.begin();
    try {
      const transport = await this.#options.transport();
      this.#attempt.signal.throwIfAborted();
      // Versions of one cluster mean nothing to another: a new credential may lead elsewhere.
      if (transport.credential !== this.#credential) this.#version = undefined;
      this.#credential = transport.credential;
      const isDue = this.#version === undefined;
      if (isDue) await this.#list(transport);
      during = 'watch';
      const pause = await this.#watch(transport, isDue);
      this.#isBroken = false;
      this.#freshness.renewing();
      if (this.#isWithheld) this.#version = undefined;
      return pause;
    } catch (error) {
      if (this.#isOver()) return 0;
      if (error instanceof WithheldWatch) {
        this.#version = undefined;
        return 0;
      }
      this.#isBroken = during === 'watch';
      return this.#fail(error, during);
    }
  }

  /** Returns how long to wait before the next try, ms. */
  async #fail(error: unknown, during: 'list' | 'watch'): Promise<number> {
    const { subject, path, log } = this.#options;
    const fault = judge(error, subject(), during);
    const line = { err: error, path, fault: fault.type };
    if (fault.isOurs) log.error(line, 'A list failed for a reason of our own');
    else log.debug(line, 'A list broke');
    if (fault.type === 'denied' && ((await this.#isNarrowed()) || this.#isOver())) return 0;
    return this.#settle(fault);
  }

  #settle(fault: Fault): number {
    if (fault.type === 'throttled') {
      this.#notBefore = this.#options.clock.now() + (fault.retryAfter ?? 0);
    }
    if (fault.type === 'absent') {
      this.#listed = false;
      this.#held.clear();
    }
    const { wait, relists } = this.#retries.failed(fault, this.#listed);
    if (relists) this.#version = undefined;
    return wait;
  }

  /** Whether the owner reads something narrower instead. */
  async #isNarrowed(): Promise<boolean> {
    const { onDenied, log, path } = this.#options;
    try {
      return (await onDenied?.()) === true;
    } catch (error) {
      log.debug({ err: error, path }, 'What may be read instead was not found');
      return false;
    }
  }

  async #list(transport: Transport): Promise<void> {
    const next = await this.#read(transport);
    this.#held.become(next);
    this.#version = next.version;
    this.#retries.listRead();
    this.#listed = true;
    this.#freshness.knownAt(this.#options.clock.now());
    this.#options.onState();
  }

  /** Rows of a first list that fails half way stay, unless it is more than may be held. */
  async #read(transport: Transport): Promise<Listed> {
    const held = this.#held;
    const takesPages = !this.#listed && this.#options.onPage !== undefined;
    try {
      return await readList(this.#options, transport, {
        held: held.entries,
        own: () => held.weight,
        signal: this.#attempt.signal,
        onPage: takesPages ? (read) => this.#takePage(read) : undefined,
      });
    } catch (error) {
      if (takesPages && (error instanceof TooLarge || error instanceof NoMemory)) held.clear();
      throw error;
    }
  }

  #takePage(read: readonly Entry[]): void {
    this.#held.add(read);
    // A try before this one may have failed: rows come again.
    if (this.#freshness.state.status !== 'loading') this.#freshness.say('loading', 0);
    this.#options.onPage?.();
  }

  /**
   * Returns how long to wait before the next watch, ms.
   * @param wasListed the version is that of a list that was just read
   */
  async #watch(transport: ListTransport, wasListed: boolean): Promise<number> {
    const { clock } = this.#options;
    const { signal } = this.#attempt;
    const stream = await this.#openInTime(transport, wasListed);
    if (signal.aborted) stream.close();
    signal.throwIfAborted();
    this.#retries.watchOpened();
    this.#isWatching = true;
    const openedAt = clock.now();
    const cancelProof = this.#prove(wasListed);
    const { steady, shortWatch, shortWatchPause } = reflectorLimits;
    const lived = () => clock.now() - openedAt;
    try {
      await this.#follow(stream, signal, transport.mark === undefined);
    } catch (error) {
      // The cluster took the version, and said nothing against it.
      if (lived() >= steady && isCut(error)) this.#retries.watchEnded();
      throw error;
    } finally {
      this.#isWatching = false;
      cancelProof();
      if (lived() >= steady) this.#retries.recovered();
    }
    if (lived() < steady) throw new BrokenWatch('The watch ended at once.');
    return lived() < shortWatch ? shortWatchPause : 0;
  }

  /**
   * Opens a watch. One that is not answered is waited for while the list counts as read at intervals; the version of an
   * earlier list is not waited for.
   * Throws WithheldWatch when the list is due again.
   */
  async #openInTime(transport: Transport, wasListed: boolean): ReturnType<Transport['stream']> {
    const { clock, subject } = this.#options;
    const { signal } = this.#attempt;
    const { withheld, polled } = reflectorLimits;
    const giveUp = new AbortController();
    const opened = this.#openWatch(transport, AbortSignal.any([signal, giveUp.signal]));
    const poll = () => this.#freshness.polled(withheldMessage(subject()));
    if (this.#isWithheld && wasListed) poll();
    const cancelLate = clock.after(withheld, () => {
      if (!wasListed) giveUp.abort(new WithheldWatch());
      else {
        this.#isWithheld = true;
        poll();
      }
    });
    const cancelDue = clock.after(polled, () => giveUp.abort(new WithheldWatch()));
    const askedAt = clock.now();
    try {
      const stream = await Promise.race([opened, rejectionOf(giveUp.signal)]);
      if (clock.now() - askedAt < withheld) this.#isWithheld = false;
      return stream;
    } finally {
      cancelLate();
      cancelDue();
    }
  }

  #openWatch(transport: Transport, signal: AbortSignal): ReturnType<Transport['stream']> {
    const { path, clock } = this.#options;
    const { watchShortest, watchLongest } = reflectorLimits;
    const duration = watchShortest + clock.random() * (watchLongest - watchShortest);
    return transport.stream({
      path,
      query: {
        watch: true,
        allowWatchBookmarks: true,
        resourceVersion: this.#version === '' ? undefined : this.#version,
        timeoutSeconds: Math.round(duration / 1000),
      },
      signal,
      hasSecondTry: true,
      // Given up before that where it is not answered.
      timeoutMs: 2 * reflectorLimits.polled,
    });
  }

  /**
   * Reads a watch to its end, and keeps until when the rows were true.
   * @param isOwn it comes from the cluster itself
   */
  async #follow(stream: KubeStream, signal: AbortSignal, isOwn: boolean): Promise<void> {
    const { clock, pulse } = this.#options;
    const freshness = this.#freshness;
    try {
      await followWatch(stream, signal, clock, this.#intake, () => isOwn && pulse?.hear());
      this.#retries.watchEnded();
      if (freshness.state.status === 'live') freshness.knownAt(clock.now());
    } catch (error) {
      // The rows are as old as the last word of a silent stream, or of a silent cluster.
      if (error instanceof SilentWatch) freshness.knownAt(error.heardAt);
      else if (freshness.state.status === 'live') freshness.knownAt(clock.now());
      throw error;
    }
  }

  #accept(line: string): void {
    const event = readEvent(line);
    if (event.type === 'DELETED') this.#held.drop(identity(event.object));
    else if (event.type !== 'BOOKMARK') this.#held.put(event.object);
    this.#version = event.object.metadata?.resourceVersion ?? this.#version;
    this.#retries.lineRead();
  }

  /** A watch from the version of a list is live at once, a resumed one when it had time to say what was missed. */
  #prove(wasListed: boolean): () => void {
    const { clock, pulse } = this.#options;
    const isLive = this.#freshness.state.status === 'live' && !this.#isBroken;
    if (wasListed ? !this.#isWithheld : isLive) {
      this.#freshness.live();
      return () => {};
    }
    return clock.after(reflectorLimits.proof, () => {
      this.#intake.take();
      if (this.#intake.isOpen && pulse?.silence === undefined) this.#freshness.live();
    });
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        this.#wake = undefined;
        resolve();
      };
      const cancel = this.#options.clock.after(ms, done);
      this.#wake = done;
    });
  }

  /** Ends the running try, or the wait for the next, and lists again. */
  #beginAnew(): void {
    this.#version = undefined;
    this.#isWithheld = false;
    this.#retries.reset();
    this.#isRestarted = true;
    this.#attempt.abort();
    this.#wake?.();
  }

  /** The cluster stopped answering. @param since epoch ms */
  #fallSilent(since: number, message: string): void {
    const freshness = this.#freshness;
    const { failures } = this.#retries;
    const { status } = freshness.state;
    const isBroken = this.#isBroken && !this.#isWatching;
    if (status === 'live' && isBroken) freshness.broken(failures, message);
    else if (status === 'live' || status === 'polled' || status === 'silent')
      freshness.silent(since, message);
    else if (status === 'reconnecting' || status === 'stale') freshness.broken(failures, message);
    else if (status === 'loading' || status === 'unreachable') {
      freshness.say('unreachable', failures, message);
    }
  }

  /** The cluster answers again. @param isAnew what was read of it before may not be true any more */
  #comeBack(isAnew: boolean): void {
    if (isAnew) {
      if (this.#listed) this.#freshness.resuming();
      this.#beginAnew();
      return;
    }
    this.#retries.recovered();
    if (this.#isWatching) {
      if (this.#freshness.state.status === 'silent') this.#freshness.live();
    } else if (this.#isWithheld && this.#wake === undefined) this.#beginAnew();
    else if (this.#options.clock.now() >= this.#notBefore) this.#wake?.();
  }
}

/** Rejects with the reason of a signal. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Begins to read a list and to keep it true, until it is disposed. */
export const createReflector = (options: ReflectorOptions): Reflector => new ListReflector(options);
