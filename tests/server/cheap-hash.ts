import { hash } from '@node-rs/argon2';

/** The least that argon2id takes: its cost stands in the hash itself, so the product checks it as any other. */
const leastCost = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 };

const hashes = new Map<string, Promise<string>>();

/**
 * A hash of a test person's password that takes no time to check, where the product's own takes a core for 100 ms. Tests
 * of the product's hashes choose passwords through its API, or call `hashPassword`.
 */
export async function cheapHash(password: string): Promise<string> {
  const known = hashes.get(password) ?? hash(password, leastCost);
  hashes.set(password, known);
  return await known;
}
