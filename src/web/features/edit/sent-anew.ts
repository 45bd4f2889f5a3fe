import { Problem } from '../../../contract/problem.ts';
import type { EditBase } from './base.ts';

/** How changes are sent to an object that changes all the time. */
export interface SendingAnew {
  /** The version that the changes were made to. */
  readonly base: EditBase;
  /** Whether two versions are the same in everything people write. */
  readonly isSame: (one: EditBase, other: EditBase) => boolean;
  /** The object as it is at this moment; undefined where it cannot be read. */
  readonly readNow: () => Promise<EditBase | undefined>;
  readonly maxTries: number;
}

/**
 * Sends changes guarded by the version they were made to. Where that is not the newest any more and the newest differs
 * in nothing people write (a controller wrote the status), they are sent anew, guarded by that one. A conflict about
 * something else than the version is not sent again. Throws what sending throws.
 */
export async function sentAnew<T>(
  send: (from: EditBase) => Promise<T>,
  { base, isSame, readNow, maxTries }: SendingAnew,
): Promise<T> {
  let from = base;
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(from);
    } catch (reason) {
      if (!(reason instanceof Problem) || reason.status !== 409 || tries === maxTries) throw reason;
      const newest = await readNow();
      const isNewer = newest !== undefined && newest.resourceVersion !== from.resourceVersion;
      if (!isNewer || !isSame(base, newest)) throw reason;
      from = newest;
    }
  }
}
