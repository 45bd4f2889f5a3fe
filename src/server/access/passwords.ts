import { hash, verify } from '@node-rs/argon2';
import { Problem } from '../../contract/problem.ts';
import { createLimiter } from '../kit/limiter.ts';
import { besideTurn } from '../kit/turns.ts';

// One hash takes 64 MiB and a core for some 100 ms: more at once would only starve the rest of the server.
const atOnce = 2;
/** Maximum number of waiting checks, in all and of one caller: nobody waits longer than some seconds. */
const waitingLimits = { all: 256, each: 64 };
// A const enum in the library's types, which a single-file compiler cannot read.
const argon2id = 2;
const cost = {
  algorithm: argon2id,
  memoryCost: 64 * 1024,
  timeCost: 3,
  parallelism: 1,
};

/** Whose turn it is: somebody who is signed in or known by their browser never waits behind strangers. */
export interface HashingTurn {
  readonly lane: 'known' | 'strangers';
  /** Shares the turns of all that ask under the same name: a network, a browser. */
  readonly who: string;
}

const createLane = () => ({ turns: createLimiter(atOnce), asking: new Map<string, number>(), inAll: 0 });
const lanes = { known: createLane(), strangers: createLane() };

/**
 * Runs work that hashes once its turn comes: two at a time in each lane, and everybody gets a turn before anybody gets a
 * second one. Throws Problem 503 when too many wait, 499 when the caller left meanwhile. Not to be nested.
 */
export async function inHashingTurn<T>(
  { lane: name, who }: HashingTurn,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const lane = lanes[name];
  const own = lane.asking.get(who) ?? 0;
  if (lane.inAll >= waitingLimits.all || own >= waitingLimits.each) {
    throw new Problem({
      status: 503,
      title: 'Too many people are signing in at once. Try again in a few seconds.',
    });
  }
  lane.asking.set(who, own + 1);
  lane.inAll += 1;
  let hasBegun = false;
  try {
    return await besideTurn(() =>
      lane.turns.run(
        () => {
          hasBegun = true;
          return work();
        },
        signal,
        who,
      ),
    );
  } catch (error) {
    if (signal?.aborted === true && !hasBegun) {
      throw new Problem({ status: 499, title: 'The caller disconnected before its turn.' }, { cause: error });
    }
    throw error;
  } finally {
    lane.inAll -= 1;
    const left = (lane.asking.get(who) ?? 1) - 1;
    if (left === 0) lane.asking.delete(who);
    else lane.asking.set(who, left);
  }
}

/** Hashes a password with argon2id, in PHC format. Waits for a turn. */
export async function hashPassword(password: string): Promise<string> {
  return await inHashingTurn({ lane: 'known', who: 'new passwords' }, () => hash(password, cost));
}

let dummy: Promise<string> | undefined;

/**
 * Whether a password fits a stored hash; to be asked in a hashing turn. Without a hash (unknown account, or one without
 * a password) a made-up one is checked, so that the answer takes as long and tells nothing.
 */
export async function fitsPassword(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hash('the password of nobody', cost);
  // Waited for in either case: the first check of a process makes it.
  const nobody = await dummy;
  const fits = await verify(stored ?? nobody, password);
  return fits && stored !== null;
}
