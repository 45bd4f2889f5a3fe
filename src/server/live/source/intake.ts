import type { Clock } from '../../kit/clock.ts';

/** Maximum time that a line waits to be read, ms: longer than any flush, which reads waiting lines. */
export const intakePatience = 300;
/** Bounds of what waits: more is read at once. */
const backlogLimit = { lines: 1_000, characters: 1_000_000 };

/**
 * The lines of a watch on their way to be read. Of those that come close together the first is read at once and the
 * others together: read one by one, each finds the processor's caches filled by something else, which made a steady
 * 200 changes a second a quarter dearer.
 */
export interface Intake {
  /** Whether it takes lines. */
  readonly isOpen: boolean;
  /** Starts reading lines; a line that cannot be read ends this, and `failed` gets the reason. */
  open(failed: (error: unknown) => void): void;
  /** Reads a line, now or soon. Never throws. */
  push(line: string): void;
  /** Reads what waits, now. Never throws. */
  take(): void;
  /** Forgets what waits, and takes no more. */
  close(): void;
}

/**
 * @param read throws for a line that ends the watch; those after it are not read
 * @param onWaiting called when a line waits: whoever would rather have it now calls `take`
 */
export function createIntake(clock: Clock, read: (line: string) => void, onWaiting?: () => void): Intake {
  let lines: string[] = [];
  let characters = 0;
  let takenAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;
  /** Undefined while it is closed. */
  let failed: ((error: unknown) => void) | undefined;

  function clear(): readonly string[] {
    cancel?.();
    cancel = undefined;
    const cleared = lines;
    lines = [];
    characters = 0;
    return cleared;
  }

  function close(): void {
    clear();
    failed = undefined;
  }

  function take(): void {
    if (lines.length === 0) return;
    takenAt = clock.now();
    try {
      for (const line of clear()) read(line);
    } catch (error) {
      const tell = failed;
      close();
      tell?.(error);
    }
  }

  return {
    get isOpen() {
      return failed !== undefined;
    },
    open(tell) {
      close();
      failed = tell;
    },
    push(line) {
      if (failed === undefined) return;
      lines.push(line);
      characters += line.length;
      const isQuiet = cancel === undefined && clock.now() - takenAt >= intakePatience;
      if (isQuiet || lines.length >= backlogLimit.lines || characters >= backlogLimit.characters) {
        take();
        return;
      }
      cancel ??= clock.after(intakePatience, take);
      onWaiting?.();
    },
    take,
    close,
  };
}
