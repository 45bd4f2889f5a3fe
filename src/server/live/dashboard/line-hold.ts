import type { OwnLine } from './attention-lines.ts';

/** A line stays for this long after its problem passed, and is as bad as it was within this time, seconds. */
export const holdTime = 30;

interface HeldLine {
  readonly line: OwnLine;
  readonly seenAt: number;
  /** When it was bad last. */
  readonly badAt: number;
}

/** Lines with those that ended a moment ago, and when time alone changes them (epoch seconds). */
export interface LinesHeld {
  readonly lines: readonly OwnLine[];
  readonly changesAt: number | undefined;
}

/**
 * Keeps the lines of a dashboard in their places while trouble comes and goes: a container that crashes runs in between,
 * and its pod is replaced by another one.
 */
export class LineHold {
  readonly #held = new Map<string, HeldLine>();

  /**
   * @param lines those of the present
   * @param now epoch seconds
   * @param isOver whether what a missing line stood for is well now; otherwise it is gone, or another line stands for it
   */
  hold(lines: readonly OwnLine[], now: number, isOver: (line: OwnLine) => boolean): LinesHeld {
    const present = new Set<string>();
    const shown = lines.map((line): OwnLine => {
      present.add(line.key);
      const before = this.#held.get(line.key);
      const badAt = line.tone === 'bad' ? now : (before?.badAt ?? Number.NEGATIVE_INFINITY);
      this.#held.set(line.key, { line, seenAt: now, badAt });
      return line.tone === 'warn' && badAt + holdTime > now ? { ...line, tone: 'bad' } : line;
    });
    let changesAt: number | undefined;
    const soon = (at: number) => {
      if (at > now) changesAt = Math.min(changesAt ?? at, at);
    };
    for (const [key, { line, seenAt, badAt }] of this.#held) {
      if (present.has(key)) {
        if (line.tone === 'warn') soon(badAt + holdTime);
      } else if (seenAt + holdTime > now && isOver(line)) {
        const tone = badAt + holdTime > now ? 'bad' : line.tone;
        shown.push({ ...line, tone, endedAt: seenAt });
        soon(seenAt + holdTime);
      } else this.#held.delete(key);
    }
    return { lines: shown, changesAt };
  }
}
