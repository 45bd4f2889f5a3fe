import { createLimiter, type Limiter } from './limiter.ts';
import type { ShareOwner } from './shares.ts';

/** Lets each company have a fixed number of tasks at a time, whatever others have. The people of one take turns. */
export class Lanes {
  readonly #size: number;
  readonly #lanes = new Map<string, { readonly limiter: Limiter; users: number }>();

  /** @param size tasks of one company that run at a time */
  constructor(size: number) {
    this.#size = size;
  }

  /** Runs the task once its company has room for it. */
  async run<T>({ company, person }: ShareOwner, task: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(company) ?? { limiter: createLimiter(this.#size), users: 0 };
    this.#lanes.set(company, lane);
    lane.users += 1;
    try {
      return await lane.limiter.run(task, undefined, person);
    } finally {
      lane.users -= 1;
      if (lane.users === 0) this.#lanes.delete(company);
    }
  }
}
