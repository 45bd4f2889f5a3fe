/** One entry of a container's log: a line with its time, or a mark of the console between the lines. */
export interface LogEntry {
  /** RFC 3339 with nanoseconds; empty where the cluster gave none, and for a mark. */
  readonly time: string;
  readonly text: string;
  readonly isMark: boolean;
}

/** Bounds of the log entries that are kept for readers who come later. */
export const ringLimits = {
  lines: 5_000,
  /** Characters of one log. */
  size: 1024 * 1024,
  /** Characters of all logs together. */
  total: 32 * 1024 * 1024,
  /** This many lines are kept up to twice the size: readers that share them may be so far apart. */
  least: 500,
} as const;

/** Characters in all rings that share the budget. */
export interface RingBudget {
  held: number;
}

/** About how many characters an entry takes. */
const weightOf = ({ time, text }: LogEntry) => time.length + text.length + 16;

/** The last entries of a log, numbered from 0 as they came. */
export class LogRing {
  readonly #budget: RingBudget;
  #entries: (LogEntry | undefined)[] = [];
  /** Index in `#entries` of the first entry that is still kept. */
  #head = 0;
  #first = 0;
  #size = 0;

  /** @param budget shared by all rings that must stay within `ringLimits.total` together */
  constructor(budget: RingBudget) {
    this.#budget = budget;
  }

  /** Number of the first entry that is still kept. */
  get first(): number {
    return this.#first;
  }

  /** Number that the next entry will get. */
  get end(): number {
    return this.#first + this.#count;
  }

  at(number: number): LogEntry | undefined {
    return number < this.#first ? undefined : this.#entries[number - this.#first + this.#head];
  }

  push(entry: LogEntry): void {
    this.#entries.push(entry);
    const weight = weightOf(entry);
    this.#size += weight;
    this.#budget.held += weight;
    const { lines, size, total, least } = ringLimits;
    while (this.#count > least && (this.#count > lines || this.#size > size || this.#budget.held > total))
      this.#forget();
    while (this.#count > 1 && this.#size > 2 * size) this.#forget();
  }

  /** About how many characters the entries from a number on take. */
  weightFrom(number: number): number {
    let weight = 0;
    for (let at = Math.max(number - this.#first, 0) + this.#head; at < this.#entries.length; at += 1) {
      const entry = this.#entries[at];
      if (entry !== undefined) weight += weightOf(entry);
    }
    return weight;
  }

  /** Forgets every entry. */
  dispose(): void {
    this.#first += this.#count;
    this.#entries = [];
    this.#head = 0;
    this.#budget.held -= this.#size;
    this.#size = 0;
  }

  get #count(): number {
    return this.#entries.length - this.#head;
  }

  #forget(): void {
    const entry = this.#entries[this.#head];
    if (entry === undefined) return;
    const weight = weightOf(entry);
    this.#size -= weight;
    this.#budget.held -= weight;
    this.#entries[this.#head] = undefined;
    this.#head += 1;
    this.#first += 1;
    if (this.#head < 1_000) return;
    this.#entries = this.#entries.slice(this.#head);
    this.#head = 0;
  }
}
