import { hash, verify } from '@node-rs/argon2';
import { Problem } from '../../contract/problem.ts';

// One hash takes 64 MiB and a core for some 100 ms: more at once would only starve the rest of the server.
const atOnce = 4;
const queueLimit = 64;
// A const enum in the library's types, which a single-file compiler cannot read.
const argon2id = 2;
const cost = {
  algorithm: argon2id,
  memoryCost: 64 * 1024,
  timeCost: 3,
  parallelism: 1,
};

let running = 0;
const waiting: (() => void)[] = [];

/** Hashes a password with argon2id, in PHC format. */
export async function hashPassword(password: string): Promise<string> {
  return await limited(() => hash(password, cost));
}

let dummy: Promise<string> | undefined;

/**
 * Whether a password fits a stored hash. Without a hash (unknown account, or one without a password) a made-up one is
 * checked, so that the answer takes as long and tells nothing.
 */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hashPassword('the password of nobody');
  const against = stored ?? (await dummy);
  const fits = await limited(() => verify(against, password));
  return fits && stored !== null;
}

/** Runs at most four at once; refuses with 503 when too many wait already. */
async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= queueLimit) {
      throw new Problem({
        status: 503,
        title: 'Too many people are signing in at the same moment. Try again in a few seconds.',
      });
    }
    // The one who finishes hands its place on, so `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
