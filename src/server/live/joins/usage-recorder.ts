import type { Clock } from '../../kit/clock.ts';
import type { Pulse } from '../source/pulse.ts';
import type { MetricsJoin } from './metrics.ts';

/** How often the usage of a connected cluster is sampled, ms. */
export const recordInterval = 60_000;
/** A cluster whose metrics API is absent or forbidden is asked again after this, ms. */
export const recordRest = 600_000;

/** Inputs of a recorder. */
export interface UsageRecorderOptions {
  readonly pulse: Pick<Pulse, 'follow' | 'isWatched'>;
  /** Undefined where the console has no such kind. */
  readonly nodes: MetricsJoin | undefined;
  readonly pods: MetricsJoin | undefined;
  readonly clock: Clock;
}

/**
 * Samples the usage of one cluster once a minute, so that charts show an hour that nobody watched.
 *
 * It begins when the cluster answers while somebody has it open, and goes on until the cluster is removed or the server
 * ends: a cluster that nobody opened since the start is left asleep. Nodes, which give the totals, are sampled from then
 * on; pods only while somebody has the cluster open, as a large cluster's are megabytes a minute.
 */
export class UsageRecorder {
  readonly #options: UsageRecorderOptions;
  readonly #unfollow: () => void;
  /** Until when a source is not asked, epoch ms. */
  readonly #restsUntil = new Map<MetricsJoin, number>();
  readonly #ending = new AbortController();
  #isStarted = false;
  #cancelNext: (() => void) | undefined;

  constructor(options: UsageRecorderOptions) {
    this.#options = options;
    this.#unfollow = options.pulse.follow({ heard: () => this.#start() });
  }

  dispose(): void {
    this.#unfollow();
    this.#ending.abort();
    this.#cancelNext?.();
  }

  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#planNext(recordInterval);
  }

  #planNext(wait: number): void {
    if (this.#ending.signal.aborted) return;
    this.#cancelNext = this.#options.clock.after(wait, () => void this.#record());
  }

  async #record(): Promise<void> {
    const { nodes, pods, pulse, clock } = this.#options;
    const begun = clock.now();
    await this.#sample(nodes);
    if (pulse.isWatched) await this.#sample(pods);
    this.#planNext(Math.max(0, recordInterval - (clock.now() - begun)));
  }

  async #sample(source: MetricsJoin | undefined): Promise<void> {
    const { clock } = this.#options;
    if (source === undefined || clock.now() < (this.#restsUntil.get(source) ?? 0)) return;
    const outcome = await source.record(this.#ending.signal);
    if (outcome === 'absent') this.#restsUntil.set(source, clock.now() + recordRest);
  }
}
