import type { LiveTransport } from '../../clusters/transport.ts';
import type { Clock } from '../../kit/clock.ts';
import { measureDelay } from '../../kit/own-delay.ts';
import { nextTurn } from './list.ts';

/** How often a ping is waited for once more, while this process is too busy to read its answer. */
const busyPatience = 5;

/** Inputs of `Pinger`. `isFresh`: over a connection of its own, not over the one that watches use. */
export interface PingerParts {
  readonly transport: () => Promise<LiveTransport>;
  readonly clock: Clock;
  /** How long an answer may take before it is late, ms. */
  readonly patience: () => number;
  /** @param status of HTTP */
  readonly onAnswer: (status: number, isFresh: boolean) => void;
  readonly onFailure: (error: unknown, isFresh: boolean) => void;
  /**
   * A ping is late. Answers whether to give it up; one over a fresh connection is given up anyway.
   * @param sentAt when it was sent, epoch ms
   */
  readonly onLate: (sentAt: number) => boolean;
}

/** Sends pings to one cluster and reports their answers, failures and delays. */
export class Pinger {
  readonly #parts: PingerParts;
  /** Pings without an answer. */
  readonly #pending = new Set<AbortController>();
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(parts: PingerParts) {
    this.#parts = parts;
  }

  /** When the last ping was begun, epoch ms; minus infinity before the first. */
  get lastAt(): number {
    return this.#lastAt;
  }

  get isPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Sends a ping. Never rejects. */
  async ping(isFresh: boolean): Promise<void> {
    const { transport, clock, patience, onAnswer, onFailure } = this.#parts;
    const ping = new AbortController();
    const { signal } = ping;
    this.#lastAt = clock.now();
    this.#pending.add(ping);
    let cancelLate: (() => void) | undefined;
    try {
      const connected = await transport();
      signal.throwIfAborted();
      const sentAt = clock.now();
      const isBusy = measureDelay();
      let grants = busyPatience;
      const late = () => {
        grants -= 1;
        if (grants >= 0 && isBusy()) cancelLate = clock.after(patience(), late);
        else void this.#late(ping, isFresh, sentAt);
      };
      cancelLate = clock.after(patience(), late);
      const status = await connected.ping({ isFresh, signal });
      if (!signal.aborted) onAnswer(status, isFresh);
    } catch (error) {
      if (!signal.aborted) onFailure(error, isFresh);
    } finally {
      cancelLate?.();
      this.#pending.delete(ping);
    }
  }

  /** Gives up every ping: none of them is reported any more. */
  abort(): void {
    for (const ping of this.#pending) ping.abort();
    this.#pending.clear();
  }

  async #late(ping: AbortController, isFresh: boolean, sentAt: number): Promise<void> {
    // Reads answers that arrived while this process was busy before they count as missing.
    await nextTurn();
    if (!this.#pending.has(ping) || ping.signal.aborted) return;
    if (isFresh) ping.abort();
    if (this.#parts.onLate(sentAt)) ping.abort();
  }
}
