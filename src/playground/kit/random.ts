import { randomFillSync } from 'node:crypto';
import { Memory } from './memory.ts';

/** A source of random values. Injected, so that a seeded playground is the same at every start. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A version 4 UUID. */
  uuid(): string;
  /** The source for what has this key. */
  of(key: string): Chance;
}

/** State of a random source, as plain data that can be saved. */
export interface ChanceState {
  last: number;
}

/** A source of random values (mulberry32), one for all keys, from a seed or the state of a source that it continues. */
export function seededChance(from: number | ChanceState): Chance {
  const state: ChanceState = typeof from === 'number' ? { last: from >>> 0 } : from;
  const next = () => {
    state.last = (state.last + 0x6d2b79f5) >>> 0;
    let t = state.last;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const chance: Chance = {
    next,
    uuid: () => formatUuid(Array.from({ length: 16 }, () => Math.floor(next() * 256))),
    of: () => chance,
  };
  return chance;
}

/**
 * A seeded source whose keys have sources of their own: the values of a key are the same at every start, in whatever
 * order the keys are asked for. `memory`: of a source that it continues.
 */
export function keyedChance(seed: number, memory = new Memory()): Chance {
  const stateOf = (name: string, first: number) =>
    memory.of(name, (): ChanceState => ({ last: first >>> 0 }));
  const sources = new Map<string, Chance>();
  const of = (key: string): Chance => {
    const known = sources.get(key);
    if (known !== undefined) return known;
    const source = seededChance(stateOf(`chance of ${key}`, seedOf(key) ^ seed));
    sources.set(key, source);
    return source;
  };
  return { ...seededChance(stateOf('chance', seed)), of };
}

/** FNV-1a of a text, 32 bits: the seed of a key. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The machine's source of random values. */
export function machineChance(): Chance {
  const seed = new Uint32Array(1);
  randomFillSync(seed);
  return seededChance(seed[0] ?? 1);
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function formatUuid(bytes: number[]): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = bytes.map((byte) => hex[byte]).join('');
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** A random suffix as Kubernetes generates it: letters and digits without vowels and lookalikes. */
export function randomName(chance: Chance, length: number): string {
  let name = '';
  for (let index = 0; index < length; index++) name += letters[Math.floor(chance.next() * letters.length)];
  return name;
}
