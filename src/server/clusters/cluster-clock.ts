import type { Clock } from '../kit/clock.ts';
import type { LiveTransport } from './transport.ts';

/** The time by the clock of a cluster, which wrote the times of its objects; epoch seconds. */
export const clusterSeconds = (
  clock: Pick<Clock, 'now'>,
  { clockAhead = 0 }: Pick<LiveTransport, 'clockAhead'>,
): number => Math.floor((clock.now() + clockAhead) / 1000);

/** Differences below this are those of the way and of whole seconds, ms. */
const leastDifference = 2_000;

/** How far the clock of a cluster is ahead of the console's, by the `Date` of its answers. */
export class ClusterClock {
  #ahead = 0;

  /** ms; negative for a clock that is behind; 0 where nobody would see the difference. */
  get ahead(): number {
    return this.#ahead;
  }

  /**
   * Takes the `Date` header of an answer.
   * @param now when the answer came, epoch ms
   */
  note(header: string | readonly string[] | undefined, now: number): void {
    const date = Date.parse(typeof header === 'string' ? header : (header?.[0] ?? ''));
    if (Number.isNaN(date)) return;
    // The header has whole seconds: on average half of one has passed since.
    const ahead = date + 500 - now;
    if (Math.abs(ahead) < leastDifference) this.#ahead = 0;
    // Answers take differently long: what was found stays until it is wrong.
    else if (Math.abs(ahead - this.#ahead) >= leastDifference) this.#ahead = ahead;
  }
}
