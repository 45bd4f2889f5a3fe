import { logTimeKey } from '../../kube/log-line.ts';

/** Where a log goes on: the time of the last line that was passed on, and how many had exactly that time. */
export interface LogPosition {
  readonly time: string;
  readonly count: number;
}

/** Passes each line on once, over any number of streams that begin again a little before where the last one ended. */
export interface LogFilter {
  readonly position: LogPosition | undefined;
  /** A new stream begins, at or before the position. */
  resume(): void;
  /** Whether a line with this time is new. */
  passes(time: string): boolean;
}

/** @param from what somebody has already */
export function createLogFilter(from: LogPosition | undefined): LogFilter {
  let position = from;
  /** Lines of exactly the position's time still to be passed over; undefined: nothing is repeated any more. */
  let repeated: number | undefined = from?.count;
  return {
    get position() {
      return position;
    },
    resume() {
      repeated = position?.count;
    },
    passes(time) {
      if (time === '') return repeated === undefined;
      if (position !== undefined) {
        const [key, last] = [logTimeKey(time), logTimeKey(position.time)];
        // The cluster begins at a whole second: what came before in it is known.
        if (repeated !== undefined && key < last) return false;
        if (key === last) {
          if (repeated !== undefined && repeated > 0) {
            repeated -= 1;
            return false;
          }
          position = { time: position.time, count: position.count + 1 };
          return true;
        }
      }
      repeated = undefined;
      position = { time, count: 1 };
      return true;
    },
  };
}
