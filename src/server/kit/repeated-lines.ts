import type { DescribedError } from './describe-error.ts';

/** A line that says the same is written again after this, ms. */
const interval = 60_000;
/** Number of different lines that are remembered before those that are over are forgotten. */
const roomFor = 500;

/** Words of the database's driver for a connection that is lost. */
const driverWords = /^(Connection terminated|timeout exceeded when trying to connect|timeout expired)/;

/**
 * Says of each warning whether it is written, so that an absence, of the database above all, is one line a minute for
 * each cause and not one for each thing that met it.
 */
export class RepeatedLines {
  readonly #now: () => number;
  /** When each was written last, and how often it came since. */
  readonly #lines = new Map<string, { at: number; repeated: number }>();

  /** @param now in ms, from any beginning */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** How often the same was left out before this one; undefined where this one is to be left out too. */
  take(details: Readonly<Record<string, unknown>>, message: string): number | undefined {
    const now = this.#now();
    const causes = causesOf(details['err']);
    const isAbsence = isOfAbsence(causes);
    // People are given the id of a call that failed, by which its line is looked for.
    if ('problem' in details && !isAbsence) return 0;
    const { err: _, ...ids } = details;
    // The errors around the last one have the statements that met it.
    const { code, message: words } = causes.at(-1) ?? { message: '' };
    const key = JSON.stringify(isAbsence ? [message, code ?? words] : [message, causes, ids]);
    const known = this.#lines.get(key);
    if (known !== undefined && now - known.at < interval) {
      known.repeated += 1;
      return undefined;
    }
    if (this.#lines.size >= roomFor)
      for (const [one, { at }] of this.#lines) if (now - at >= interval) this.#lines.delete(one);
    this.#lines.set(key, { at: now, repeated: 0 });
    return known?.repeated ?? 0;
  }
}

type Cause = Pick<DescribedError, 'code' | 'message' | 'query'>;

/** An error as it was thrown or described, and those behind it. */
function causesOf(error: unknown): readonly Cause[] {
  const chain: Cause[] = [];
  for (let one = error; typeof one === 'object' && one !== null && chain.length < 5; ) {
    const { code, query, message, cause } = one as Partial<DescribedError>;
    chain.push({
      message: message ?? '',
      ...(typeof code === 'string' ? { code } : {}),
      ...(typeof query === 'string' ? { query } : {}),
    });
    one = cause;
  }
  return chain;
}

/** Whether the database is away, starts, stops, is full or is replaced by another one: it is the cause, whatever met it. */
function isOfAbsence(causes: readonly Cause[]): boolean {
  const isAskedIt = causes.some(({ query }) => query !== undefined);
  return causes.some(
    ({ code = '', message }) =>
      /^(?:08|53|57P|25006)/.test(code) ||
      driverWords.test(message) ||
      (isAskedIt && /^E[A-Z_]{4,}$/.test(code)),
  );
}
