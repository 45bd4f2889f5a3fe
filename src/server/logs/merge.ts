import type { LogLine } from '../../contract/log.ts';
import { logTimeKey } from '../../kube/log-line.ts';
import type { Clock } from '../kit/clock.ts';
import type { Room } from './room.ts';

/** Times of a merge (ms), and its bounds. */
export const mergeLimits = {
  /** How long the merge waits for a source that sends nothing before it passes on what others sent. */
  quiet: 250,
  /** How long the merge waits for a source that is being opened. */
  opening: 3_000,
  /** Lines of one source that wait for others; at this many the source is not read further. */
  queue: 1_000,
} as const;

/** One source's way into a merge. */
export interface MergeEntry {
  /** Takes a line. A promise: read no further before it is settled. */
  line(line: LogLine): Promise<void> | undefined;
  /** The source is being read: from now on it counts as quiet when it sends nothing. */
  opened(): void;
  /** The source sends nothing for a while: the merge does not wait for it. */
  idle(): void;
  end(): void;
}

/** Lines of one source that wait for those of others, in the order of their times. */
class SourceQueue implements MergeEntry {
  /** Until when the merge waits for this source while it is empty (ms since 1970). */
  until: number;
  isOver = false;
  isIdle = false;
  readonly #merge: LogMerge;
  readonly #lines: { readonly key: string; readonly line: LogLine }[] = [];
  /** Lines before this one have been passed on. */
  #head = 0;
  #room: Room | undefined;

  constructor(merge: LogMerge, until: number) {
    this.#merge = merge;
    this.until = until;
  }

  get size(): number {
    return this.#lines.length - this.#head;
  }

  /** The time of its first line, to compare; undefined while it is empty. */
  get firstKey(): string | undefined {
    return this.#lines[this.#head]?.key;
  }

  line(line: LogLine): Promise<void> | undefined {
    const before = this.#lines.at(-1)?.key ?? '';
    // A line without a time, or with an earlier one than the line before it, stays behind that line.
    const key = line[0] === '' ? before : logTimeKey(line[0]);
    this.#lines.push({ key: key < before ? before : key, line });
    this.until = this.#merge.quietUntil();
    this.isIdle = false;
    this.#merge.advance();
    if (this.size < mergeLimits.queue) return undefined;
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  opened(): void {
    this.isIdle = false;
    this.until = this.#merge.quietUntil();
    this.#merge.advance();
  }

  idle(): void {
    this.isIdle = true;
    this.#merge.advance();
  }

  end(): void {
    this.isOver = true;
    this.#merge.remove(this);
    this.#merge.advance();
  }

  shift(): LogLine | undefined {
    const entry = this.#lines[this.#head];
    this.#head += 1;
    if (this.#head >= 256 || this.#head === this.#lines.length) {
      this.#lines.splice(0, this.#head);
      this.#head = 0;
    }
    if (this.size < mergeLimits.queue / 2) this.release();
    return entry?.line;
  }

  /** Lets the source be read further. */
  release(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }
}

/** Inputs of a merge. */
export interface MergeParts {
  /** Takes a line. A promise: pass no further line before it is settled. */
  readonly pass: (line: LogLine) => Promise<void> | undefined;
  readonly clock: Clock;
  /** Whether it waits for every source, however long that sends nothing: for logs that are read to their end. */
  readonly isPatient: boolean;
}

/**
 * Puts the lines of several sources into the order of their times. Each source gives its lines in order; the merge
 * passes on the earliest line of all, and waits a moment for sources that may still send an earlier one. The lines of a
 * single source pass at once.
 */
export class LogMerge {
  readonly #parts: MergeParts;
  readonly #queues = new Set<SourceQueue>();
  #isBusy = false;
  #isDisposed = false;
  #cancelTimer: (() => void) | undefined;
  #waiters: (() => void)[] = [];

  constructor(parts: MergeParts) {
    this.#parts = parts;
  }

  add(): MergeEntry {
    const { clock, isPatient } = this.#parts;
    const queue = new SourceQueue(
      this,
      clock.now() + (isPatient ? Number.POSITIVE_INFINITY : mergeLimits.opening),
    );
    this.#queues.add(queue);
    return queue;
  }

  /** Settled once every line that was taken has been passed on. */
  drained(): Promise<void> {
    if (!this.#isBusy && this.#isEmpty()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancelTimer?.();
    for (const queue of this.#queues) queue.release();
    this.#queues.clear();
    this.#notify();
  }

  /** Until when a source that sends something now counts as not quiet (ms since 1970). */
  quietUntil(): number {
    const { clock, isPatient } = this.#parts;
    return clock.now() + (isPatient ? Number.POSITIVE_INFINITY : mergeLimits.quiet);
  }

  /** Passes on what can be passed on, unless that is under way. */
  advance(): void {
    if (!this.#isBusy) void this.#run();
  }

  /** Drops a source that ended, once its last line is passed on. */
  remove(queue: SourceQueue): void {
    if (queue.isOver && queue.size === 0) this.#queues.delete(queue);
  }

  async #run(): Promise<void> {
    if (this.#isBusy || this.#isDisposed) return;
    this.#isBusy = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { pass, clock } = this.#parts;
    try {
      for (let found = this.#next(); found !== undefined; found = this.#next()) {
        if (typeof found === 'number') {
          if (Number.isFinite(found))
            this.#cancelTimer = clock.after(found - clock.now(), () => void this.#run());
          return;
        }
        const line = found.shift();
        this.remove(found);
        const full = line === undefined ? undefined : pass(line);
        if (full !== undefined) await full;
      }
    } finally {
      this.#isBusy = false;
      if (this.#isEmpty()) this.#notify();
    }
  }

  /** The queue with the earliest line; until when to wait (ms since 1970); undefined when there is nothing to do. */
  #next(): SourceQueue | number | undefined {
    let first: SourceQueue | undefined;
    let firstKey = '';
    let wait = 0;
    const now = this.#parts.clock.now();
    for (const queue of this.#queues) {
      const key = queue.firstKey;
      if (key !== undefined) {
        if (first === undefined || key < firstKey) [first, firstKey] = [queue, key];
      } else if (!queue.isOver && !queue.isIdle && queue.until > now) {
        wait = Math.max(wait, queue.until);
      }
    }
    if (first === undefined) return undefined;
    return wait > now && this.#queues.size > 1 ? wait : first;
  }

  #isEmpty(): boolean {
    for (const queue of this.#queues) if (queue.size > 0) return false;
    return true;
  }

  #notify(): void {
    for (const done of this.#waiters.splice(0)) done();
  }
}
