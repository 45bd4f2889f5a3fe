import { hash, verify } from '@node-rs/argon2';
import { Problem } from '../../contract/problem.ts';
import { createLimiter } from '../clusters/limiter.ts';

// One hash takes 64 MiB and a core for some 100 ms: more at once would only starve the rest of the server.
const atOnce = 4;
/** How many wait at most, of all and of one who asks; longer than some seconds nobody waits. */
const waitingLimits = { all: 256, each: 64 };
// A const enum in the library's types, which a single-file compiler cannot read.
const argon2id = 2;
const cost = {
  algorithm: argon2id,
  memoryCost: 64 * 1024,
  timeCost: 3,
  parallelism: 1,
};

const turns = createLimiter(atOnce);
const asking = new Map<string, number>();
let askingInAll = 0;

/**
 * Runs work that hashes once its turn comes: four at a time, and everybody gets a turn before anybody gets a second one.
 * Throws Problem 503 when too many wait, 499 when the caller left meanwhile. Not to be nested.
 * @param who shares the turns of all that ask under the same name: a network, a known browser
 */
export async function inHashingTurn<T>(
  who: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const own = asking.get(who) ?? 0;
  if (askingInAll >= waitingLimits.all || own >= waitingLimits.each) {
    throw new Problem({
      status: 503,
      title: 'Too many people are signing in at the same moment. Try again in a few seconds.',
    });
  }
  asking.set(who, own + 1);
  askingInAll += 1;
  let hasBegun = false;
  try {
    return await turns.run(
      () => {
        hasBegun = true;
        return work();
      },
      signal,
      who,
    );
  } catch (error) {
    if (signal?.aborted === true && !hasBegun) {
      throw new Problem(
        { status: 499, title: 'The caller left before it was their turn.' },
        { cause: error },
      );
    }
    throw error;
  } finally {
    askingInAll -= 1;
    const left = (asking.get(who) ?? 1) - 1;
    if (left === 0) asking.delete(who);
    else asking.set(who, left);
  }
}

/** Hashes a password with argon2id, in PHC format. Waits for a turn. */
export async function hashPassword(password: string): Promise<string> {
  return await inHashingTurn('new passwords', () => hash(password, cost));
}

let dummy: Promise<string> | undefined;

/**
 * Whether a password fits a stored hash; to be asked in a hashing turn. Without a hash (unknown account, or one without
 * a password) a made-up one is checked, so that the answer takes as long and tells nothing.
 */
export async function fitsPassword(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hash('the password of nobody', cost);
  const fits = await verify(stored ?? (await dummy), password);
  return fits && stored !== null;
}
