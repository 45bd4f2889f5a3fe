import type { Tally } from '../../../contract/live.ts';

const emptyTally: Tally = { total: 0, bad: 0 };

/** How many objects there are and how many of them fail, in all and in each namespace that has any. */
export class TallyCount {
  #all = emptyTally;
  readonly #byNamespace = new Map<string, Tally>();

  /** @param by 1 for an object that is there, -1 for one that is not any more */
  add(namespace: string, isBad: boolean, by: 1 | -1): void {
    const plus = ({ total, bad }: Tally): Tally => ({ total: total + by, bad: bad + (isBad ? by : 0) });
    this.#all = plus(this.#all);
    const one = plus(this.#byNamespace.get(namespace) ?? emptyTally);
    if (one.total === 0) this.#byNamespace.delete(namespace);
    else this.#byNamespace.set(namespace, one);
  }

  /** From what `byNamespace` gave. */
  static of(stored: Readonly<Record<string, readonly [total: number, bad: number]>>): TallyCount {
    const count = new TallyCount();
    for (const [namespace, [total, bad]] of Object.entries(stored)) {
      count.#all = { total: count.#all.total + total, bad: count.#all.bad + bad };
      count.#byNamespace.set(namespace, { total, bad });
    }
    return count;
  }

  /** Objects and failing ones of each namespace that has any; of objects without a namespace under the empty name. */
  get byNamespace(): Record<string, [total: number, bad: number]> {
    return Object.fromEntries([...this.#byNamespace].map(([name, { total, bad }]) => [name, [total, bad]]));
  }

  /** Of all. */
  get all(): Tally {
    return this.#all;
  }

  /** Of all but what is in these namespaces. */
  except(namespaces: Iterable<string>): Tally {
    const left = this.of(namespaces);
    return { total: this.#all.total - left.total, bad: this.#all.bad - left.bad };
  }

  /** Of these namespaces together. */
  of(namespaces: Iterable<string>): Tally {
    let sum = emptyTally;
    for (const namespace of namespaces) {
      const { total, bad } = this.#byNamespace.get(namespace) ?? emptyTally;
      sum = { total: sum.total + total, bad: sum.bad + bad };
    }
    return sum;
  }
}
