/** Data of one component beside the objects, by its name: plain data, so that it can be saved with them. */
export class Memory {
  readonly #kept: Map<string, unknown>;

  /** `kept`: what an earlier memory had saved. */
  constructor(kept: ReadonlyMap<string, unknown> = new Map()) {
    this.#kept = new Map(kept);
  }

  /** The data with a name; made on first use. Each name has one type. */
  of<T extends object>(name: string, make: () => T): T {
    const known = this.#kept.get(name);
    if (known !== undefined) return known as T;
    const made = make();
    this.#kept.set(name, made);
    return made;
  }

  /** All data, to be saved. */
  save(): ReadonlyMap<string, unknown> {
    return this.#kept;
  }
}
