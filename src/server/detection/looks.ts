import type { Clock } from '../kit/clock.ts';
import { pause } from '../kit/pause.ts';

/** Looks are at least this far apart, ms: what changes in bursts is looked at once. */
const minimumPause = 250;

/** Looks at something whenever it is due: after a change, or when the time that the last look named is over. */
export class Looks {
  readonly #clock: Clock;
  #isDue = true;
  #wake: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something changed. */
  readonly due = (): void => {
    this.#isDue = true;
    this.#wake();
  };

  /**
   * Looks until the signal is aborted.
   * @param look gives after how long to look again without a change, ms; what it throws ends the looks
   */
  async run(signal: AbortSignal, look: () => Promise<number>): Promise<void> {
    signal.addEventListener('abort', this.due, { once: true });
    try {
      while (!signal.aborted) {
        this.#isDue = false;
        const wait = await look();
        await pause(this.#clock, minimumPause, signal).catch(() => undefined);
        if (!this.#isDue) await this.#sleep(wait - minimumPause);
      }
    } finally {
      signal.removeEventListener('abort', this.due);
    }
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(Math.max(0, ms), resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
