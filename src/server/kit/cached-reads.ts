import type { Clock } from './clock.ts';

/**
 * Reads that are shared by all who ask for the same, while it is being read and for a while afterwards. They do not end
 * with a caller, as others may wait for them. A failure is not kept.
 */
export class CachedReads<T> {
  readonly #lifetime: number;
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly until: number; readonly found: Promise<T> }>();

  /** @param lifetime how long a read is used after it began, ms. */
  constructor(lifetime: number, clock: Clock) {
    this.#lifetime = lifetime;
    this.#clock = clock;
  }

  /** The result that is known for a key, else that of `read`, which begins now. Throws the errors of `read`. */
  of(key: string, read: () => Promise<T>): Promise<T> {
    const now = this.#clock.now();
    const known = this.#known.get(key);
    if (known !== undefined && known.until > now) return known.found;
    for (const [one, { until }] of this.#known) if (until <= now) this.#known.delete(one);
    const found = read();
    this.#known.set(key, { until: now + this.#lifetime, found });
    found.catch(() => this.#known.delete(key));
    return found;
  }
}
