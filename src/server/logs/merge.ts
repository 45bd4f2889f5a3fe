import type { LogLine } from '../../contract/log.ts';
import { logTimeKey } from '../../kube/log-line.ts';
import type { Clock } from '../kit/clock.ts';

/** Times of a merge, ms, and its bounds. */
export const mergeLimits = {
  /** A source that has said nothing for so long is not waited for: what others said goes on. */
  quiet: 250,
  /** A source that is being opened is waited for so long. */
  opening: 3_000,
  /** Lines of one source that wait for others; it is read no further meanwhile. */
  queue: 1_000,
} as const;

/** One source's way into a merge. */
export interface MergeEntry {
  /** Takes a line. A promise: read no further before it is settled. */
  line(line: LogLine): Promise<void> | undefined;
  /** It is being read: from now on it counts as quiet when it says nothing. */
  opened(): void;
  /** Nothing more comes of it, or not for a while: nobody waits for it. */
  idle(): void;
  end(): void;
}

/** Puts the lines of several sources into the order of their times. */
export interface Merge {
  add(): MergeEntry;
  /** Settled once every line that was taken has been passed on. */
  drained(): Promise<void>;
  dispose(): void;
}

interface Queue {
  readonly lines: { readonly key: string; readonly line: LogLine }[];
  /** Lines before this one have been passed on. */
  head: number;
  /** Waited for until then, ms. */
  until: number;
  isOver: boolean;
  isIdle: boolean;
  room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
}

const sizeOf = ({ lines, head }: Queue) => lines.length - head;

/**
 * Each source gives its lines in order; the merge passes the earliest on that any has, and waits a moment for sources
 * that may have an earlier one still. A single source passes through at once.
 * @param patient waits for every source, however long it says nothing: for logs that are read to their end
 */
export function createMerge(
  pass: (line: LogLine) => Promise<void> | undefined,
  clock: Clock,
  patient: boolean,
): Merge {
  const queues = new Set<Queue>();
  let isBusy = false;
  let isDisposed = false;
  let cancelTimer: (() => void) | undefined;
  let waiters: (() => void)[] = [];

  const quietAfter = patient ? Number.POSITIVE_INFINITY : mergeLimits.quiet;
  const isEmpty = () => [...queues].every((queue) => sizeOf(queue) === 0);

  function settle(): void {
    if (isBusy || !isEmpty()) return;
    for (const done of waiters.splice(0)) done();
  }

  /** The queue with the earliest line; a time in ms to wait until, or undefined when there is nothing to do. */
  function next(): Queue | number | undefined {
    let first: Queue | undefined;
    let wait = 0;
    const now = clock.now();
    for (const queue of queues) {
      const entry = queue.lines[queue.head];
      if (entry !== undefined) {
        const best = first?.lines[first.head];
        if (best === undefined || entry.key < best.key) first = queue;
      } else if (!queue.isOver && !queue.isIdle && queue.until > now) {
        wait = Math.max(wait, queue.until);
      }
    }
    if (first === undefined) return undefined;
    return wait > now && queues.size > 1 ? wait : first;
  }

  function take(queue: Queue): LogLine | undefined {
    const entry = queue.lines[queue.head];
    queue.head += 1;
    if (queue.head >= 256 || queue.head === queue.lines.length) {
      queue.lines.splice(0, queue.head);
      queue.head = 0;
    }
    if (sizeOf(queue) < mergeLimits.queue / 2) {
      queue.room?.resolve();
      queue.room = undefined;
    }
    if (queue.isOver && sizeOf(queue) === 0) queues.delete(queue);
    return entry?.line;
  }

  async function run(): Promise<void> {
    if (isBusy || isDisposed) return;
    isBusy = true;
    cancelTimer?.();
    cancelTimer = undefined;
    try {
      for (let found = next(); found !== undefined; found = next()) {
        if (typeof found === 'number') {
          if (Number.isFinite(found)) cancelTimer = clock.after(found - clock.now(), () => void run());
          return;
        }
        const line = take(found);
        const full = line === undefined ? undefined : pass(line);
        if (full !== undefined) await full;
      }
    } finally {
      isBusy = false;
      settle();
    }
  }

  return {
    add() {
      const queue: Queue = {
        lines: [],
        head: 0,
        until: clock.now() + (patient ? Number.POSITIVE_INFINITY : mergeLimits.opening),
        isOver: false,
        isIdle: false,
        room: undefined,
      };
      queues.add(queue);
      return {
        line(line) {
          const before = queue.lines.at(-1)?.key ?? '';
          // What has no time, or an earlier one than the line before it, stays behind that line.
          const key = line[0] === '' ? before : logTimeKey(line[0]);
          queue.lines.push({ key: key < before ? before : key, line });
          queue.until = clock.now() + quietAfter;
          queue.isIdle = false;
          if (!isBusy) void run();
          if (sizeOf(queue) < mergeLimits.queue) return undefined;
          queue.room ??= Promise.withResolvers<void>();
          return queue.room.promise;
        },
        opened() {
          queue.isIdle = false;
          queue.until = clock.now() + quietAfter;
          if (!isBusy) void run();
        },
        idle() {
          queue.isIdle = true;
          if (!isBusy) void run();
        },
        end() {
          queue.isOver = true;
          if (sizeOf(queue) === 0) queues.delete(queue);
          if (!isBusy) void run();
        },
      };
    },
    drained() {
      if (!isBusy && isEmpty()) return Promise.resolve();
      return new Promise((resolve) => {
        waiters.push(resolve);
      });
    },
    dispose() {
      isDisposed = true;
      cancelTimer?.();
      for (const queue of queues) queue.room?.resolve();
      queues.clear();
      for (const done of waiters.splice(0)) done();
      waiters = [];
    },
  };
}
