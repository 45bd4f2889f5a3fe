import { randomInt } from 'node:crypto';
import { seededChance } from '../src/playground/kit/random.ts';

/** `npm run prove` runs every proof by number in full; the gate runs a small form of each with a fixed seed. */
export const isFull = process.env['PROVE'] === '1';
const seedOfGate = 20_260_301;

function readSeed(): number {
  const given = process.env['PROVE_SEED'];
  if (given !== undefined) return Number(given);
  return isFull ? randomInt(2 ** 31) : seedOfGate;
}

/** What every proof of this run starts from: PROVE_SEED, or a new one in full, or the gate's own. */
export const seed = readSeed();
// A proof that fails is run again by this.
if (isFull) process.stdout.write(`PROVE_SEED=${seed}\n`);

/** How often something is tried: `inGate` times, or `inFull` times under `npm run prove`. */
export function rounds(inGate: number, inFull: number): number {
  return isFull ? inFull : inGate;
}

/** Settings of fast-check for a file: 100 runs a property in the gate, 2,000 in full, from the seed of the run. */
export function proof(): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: rounds(100, 2_000), seed };
}

/** Numbers from 0 up to, not including, 1, the same ones for the same seed. */
export function chance(from: number = seed): () => number {
  const source = seededChance(from);
  return () => source.next();
}
