import { logTimeKey } from '../../kube/log-line.ts';
import { type LogPosition, positionAfter } from '../../kube/log-position.ts';

/** Passes each line on once, over any number of streams that begin again a little before the last one ended. */
export class LogFilter {
  #position: LogPosition | undefined;
  /** Lines of exactly the position's time that are still to be dropped; undefined once nothing repeats any more. */
  #repeated: number | undefined;

  /** @param from the last line that the reader has already */
  constructor(from: LogPosition | undefined) {
    this.#position = from;
    this.#repeated = from?.count;
  }

  get position(): LogPosition | undefined {
    return this.#position;
  }

  /** A new stream begins, at or before the position. */
  resume(): void {
    this.#repeated = this.#position?.count;
  }

  /** Whether a line with this time is new. */
  passes(time: string): boolean {
    const position = this.#position;
    if (time === '') return this.#repeated === undefined;
    if (position !== undefined) {
      const [key, last] = [logTimeKey(time), logTimeKey(position.time)];
      // The cluster begins at a whole second: what came before the position in it is known.
      if (this.#repeated !== undefined && key < last) return false;
      if (key === last && this.#repeated !== undefined && this.#repeated > 0) {
        this.#repeated -= 1;
        return false;
      }
      if (key !== last) this.#repeated = undefined;
    }
    this.#position = positionAfter(position, time);
    return true;
  }
}
