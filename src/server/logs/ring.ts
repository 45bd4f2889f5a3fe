/** What a container's log told: a line with its time, or what the console says between the lines. */
export interface Told {
  /** RFC 3339 with nanoseconds; empty where the cluster gave none, and for a mark. */
  readonly time: string;
  readonly text: string;
  readonly isMark: boolean;
}

/** Bounds of what is kept of logs for those who come later. */
export const ringLimits = {
  lines: 5_000,
  /** Characters of one log. */
  size: 1024 * 1024,
  /** Characters of all of them together. */
  total: 32 * 1024 * 1024,
  /** So many lines are kept up to twice the size: readers that share them may be so far apart. */
  least: 500,
} as const;

/** Characters that are held in all rings that share it. */
export interface RingBudget {
  held: number;
}

/** The last of a log, numbered from 0 as it came. */
export interface LogRing {
  /** Number of the first that is still there. */
  readonly first: number;
  /** Number that the next will get. */
  readonly end: number;
  at(number: number): Told | undefined;
  push(told: Told): void;
  /** About what weighs from this number on that is still there, characters. */
  weightFrom(number: number): number;
  /** Forgets everything. */
  dispose(): void;
}

/** About what one weighs, characters. */
const weightOf = ({ time, text }: Told) => time.length + text.length + 16;

/** An empty ring. @param budget shared by all that must stay within `ringLimits.total` together */
export function createLogRing(budget: RingBudget): LogRing {
  let kept: (Told | undefined)[] = [];
  /** Those before it in `kept` are forgotten and let go of. */
  let head = 0;
  let first = 0;
  let size = 0;

  function forget(): void {
    const told = kept[head];
    if (told === undefined) return;
    const weight = weightOf(told);
    size -= weight;
    budget.held -= weight;
    kept[head] = undefined;
    head += 1;
    first += 1;
    if (head < 1_000) return;
    kept = kept.slice(head);
    head = 0;
  }

  return {
    get first() {
      return first;
    },
    get end() {
      return first + kept.length - head;
    },
    at: (number) => (number < first ? undefined : kept[number - first + head]),
    push(told) {
      kept.push(told);
      const weight = weightOf(told);
      size += weight;
      budget.held += weight;
      while (
        kept.length - head > ringLimits.least &&
        (kept.length - head > ringLimits.lines || size > ringLimits.size || budget.held > ringLimits.total)
      )
        forget();
      while (kept.length - head > 1 && size > 2 * ringLimits.size) forget();
    },
    weightFrom(number) {
      let weight = 0;
      for (let at = Math.max(number - first, 0) + head; at < kept.length; at += 1) {
        const told = kept[at];
        if (told !== undefined) weight += weightOf(told);
      }
      return weight;
    },
    dispose() {
      first += kept.length - head;
      kept = [];
      head = 0;
      budget.held -= size;
      size = 0;
    },
  };
}
