import { Problem } from '../../../contract/problem.ts';
import type { LiveTransport } from '../../clusters/transport.ts';
import type { Clock } from '../../kit/clock.ts';
import { OwnLimit } from '../../kit/own-limit.ts';
import { Pinger } from './pinger.ts';

/** Times of a cluster's pulse, ms. */
export const pulseLimits = {
  /** A cluster that sent nothing for this long is pinged. */
  quiet: 5_000,
  /** One that does not answer a ping within this is silent. */
  patience: 3_000,
  /** The same for the very first ping: opening a connection and making a credential take their time. */
  firstPatience: 8_000,
  /** Pause before a cluster that refused, broke off or is not ready is pinged again; jittered by a quarter. */
  pause: 2_000,
  /** A failure elsewhere causes a ping at most this often. */
  doubtEvery: 1_000,
  /** A cluster that comes back but is not ready (5xx) counts as silent for at most this long. */
  readiness: 10_000,
} as const;

/** A cluster does not answer. */
export interface Silence {
  /** When it last sent anything, epoch ms. */
  readonly since: number;
  /** One sentence. */
  readonly message: string;
}

/** Follows whether a cluster answers. */
export interface PulseListener {
  /** The cluster does not answer, or the reason changed. */
  silent?(silence: Silence): void;
  /**
   * The cluster answers: again, or for the first time since somebody looks. `same`: over the connection that watches use,
   * which therefore still work. `anew`: over another; the old ones may be dead.
   */
  back?(how: 'same' | 'anew'): void;
  /** While somebody looks: when the cluster last sent anything, epoch ms. Called at most every 5 s. */
  heard?(at: number): void;
}

/**
 * Whether a cluster answers. While somebody looks, one ping at a time finds it out for everything that is read of the
 * cluster: after 5 s in which it sent nothing, after a failure, and every 2 to 3 s while it does not answer.
 */
export interface Pulse {
  /** When the cluster last sent anything, epoch ms; undefined before that. */
  readonly heardAt: number | undefined;
  /** Undefined while the cluster answers, as far as is known. */
  readonly silence: Silence | undefined;
  readonly isWatched: boolean;
  /** How far the cluster's clock is ahead of the console's, ms, as far as is known. */
  readonly clockAhead: number;
  /** A watch brought something. Cheap. */
  hear(): void;
  /** A watch broke or a request got no answer: the cluster is pinged at once. */
  doubt(): void;
  /** Somebody looks, until the answer is called. */
  look(): () => void;
  /** The answer ends it. */
  follow(listener: PulseListener): () => void;
  dispose(): void;
}

/** Inputs of a pulse. */
export interface PulseOptions {
  /** Name of the cluster. */
  readonly name: () => string;
  readonly transport: () => Promise<LiveTransport>;
  readonly clock: Clock;
}

/** Sends nothing before somebody looks. */
export const createPulse = (options: PulseOptions): Pulse => new ClusterPulse(options);

class ClusterPulse implements Pulse {
  readonly #options: PulseOptions;
  readonly #pinger: Pinger;
  readonly #listeners = new Set<PulseListener>();
  #transport: LiveTransport | undefined;
  #heardAt: number | undefined;
  #silence: Silence | undefined;
  #clockAhead = 0;
  /** When a cluster that is not ready yet first answered, epoch ms. */
  #unreadySince: number | undefined;
  #lookers = 0;
  /** Whether the listeners still have to learn that the cluster answers, since somebody looks. */
  #isNew = false;
  /** Whether something failed since the last ping. */
  #isDoubted = false;
  #cancelNext: (() => void) | undefined;

  constructor(options: PulseOptions) {
    this.#options = options;
    this.#pinger = new Pinger({
      transport: async () => {
        const transport = await options.transport();
        this.#transport = transport;
        return transport;
      },
      clock: options.clock,
      patience: () => (this.#heardAt === undefined ? pulseLimits.firstPatience : pulseLimits.patience),
      onAnswer: (status, isFresh) => this.#answered(status, isFresh),
      onFailure: (error, isFresh) => this.#failed(error, isFresh),
      onLate: (sentAt) => this.#late(sentAt),
    });
  }

  get heardAt(): number | undefined {
    return this.#heardAt;
  }

  get silence(): Silence | undefined {
    return this.#silence;
  }

  get isWatched(): boolean {
    return this.#lookers > 0;
  }

  get clockAhead(): number {
    return this.#clockAhead;
  }

  hear(): void {
    this.#heardAt = this.#options.clock.now();
    if (this.#silence === undefined) return;
    this.#endSilence('same');
    this.#reportHeard();
    this.#checkAfter(pulseLimits.quiet);
  }

  doubt(): void {
    if (this.#lookers === 0 || this.#silence !== undefined || this.#pinger.isPending) return;
    this.#isDoubted = true;
    const { clock } = this.#options;
    this.#checkAfter(Math.max(0, this.#pinger.lastAt + pulseLimits.doubtEvery - clock.now()));
  }

  look(): () => void {
    this.#lookers += 1;
    if (this.#lookers === 1) {
      this.#isNew = true;
      this.#check();
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#lookers -= 1;
      if (this.#lookers === 0) this.#stop();
    };
  }

  follow(listener: PulseListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#stop();
    this.#lookers = 0;
    this.#listeners.clear();
  }

  #stop(): void {
    this.#cancelNext?.();
    this.#cancelNext = undefined;
    this.#pinger.abort();
  }

  #checkAfter(ms: number): void {
    this.#cancelNext?.();
    this.#cancelNext = this.#lookers === 0 ? undefined : this.#options.clock.after(ms, () => this.#check());
  }

  #checkAfterPause(): void {
    this.#checkAfter(pulseLimits.pause * (0.75 + this.#options.clock.random() / 2));
  }

  #check(): void {
    this.#cancelNext = undefined;
    this.#reportHeard();
    const { clock } = this.#options;
    const quietLeft = (this.#heardAt ?? Number.NEGATIVE_INFINITY) + pulseLimits.quiet - clock.now();
    if (this.#silence === undefined && !this.#isDoubted && quietLeft > 0) this.#checkAfter(quietLeft);
    else this.#ping(this.#silence !== undefined);
  }

  #ping(isFresh: boolean): void {
    this.#isDoubted = false;
    void this.#pinger.ping(isFresh);
  }

  /** A ping is late. Gives it up if the cluster sent something else meanwhile; otherwise it may still be answered. */
  #late(sentAt: number): boolean {
    if (this.#silence === undefined && this.#heardAt !== undefined && this.#heardAt > sentAt) {
      this.#checkAfter(pulseLimits.quiet);
      return true;
    }
    this.#setSilence(`${this.#options.name()} is unreachable.`);
    this.#ping(true);
    return false;
  }

  #failed(error: unknown, isFresh: boolean): void {
    if (error instanceof OwnLimit) {
      this.#checkAfterPause();
      return;
    }
    // Perhaps only the connection of the watches broke.
    if (!isFresh) {
      if (this.#silence === undefined) this.#ping(true);
      return;
    }
    this.#setSilence(error instanceof Problem ? error.title : `${this.#options.name()} is unreachable.`);
    this.#checkAfterPause();
  }

  #answered(status: number, isFresh: boolean): void {
    const isReady = status < 500;
    const now = this.#options.clock.now();
    if (!isReady && this.#silence !== undefined) {
      this.#unreadySince ??= now;
      if (now - this.#unreadySince < pulseLimits.readiness) {
        this.#setSilence(`${this.#options.name()} is starting and not ready yet (${status}).`);
        this.#checkAfterPause();
        return;
      }
    }
    const becomesReady = isReady && this.#unreadySince !== undefined;
    if (isReady) this.#unreadySince = undefined;
    else this.#unreadySince ??= now;
    this.#heardAt = now;
    this.#clockAhead = this.#transport?.clockAhead ?? 0;
    if (this.#silence !== undefined) this.#endSilence(isFresh ? 'anew' : 'same');
    else if (this.#isNew || becomesReady) this.#reportBack('same');
    this.#reportHeard();
    this.#checkAfter(pulseLimits.quiet);
  }

  #setSilence(message: string): void {
    if (this.#silence?.message === message) return;
    const since = this.#silence?.since ?? this.#heardAt ?? this.#options.clock.now();
    this.#silence = { since, message };
    for (const listener of this.#listeners) listener.silent?.(this.#silence);
  }

  #endSilence(how: 'same' | 'anew'): void {
    this.#silence = undefined;
    this.#stop();
    if (how === 'same') {
      this.#reportBack(how);
      return;
    }
    // Later requests must go over new connections as well; the listeners send theirs at once.
    void this.#options
      .transport()
      .then((connected) => connected.renew())
      .catch(() => undefined)
      .finally(() => this.#reportBack(how));
  }

  #reportBack(how: 'same' | 'anew'): void {
    this.#isNew = false;
    for (const listener of this.#listeners) listener.back?.(how);
  }

  #reportHeard(): void {
    if (this.#heardAt === undefined || this.#silence !== undefined) return;
    for (const listener of this.#listeners) listener.heard?.(this.#heardAt);
  }
}
