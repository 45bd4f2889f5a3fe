import { createHmac } from 'node:crypto';

/** Keys for data at rest, by id; new values are sealed with the current one. */
export interface KeyRing {
  readonly current: string;
  /** 32 bytes each. */
  readonly keys: ReadonlyMap<string, Buffer>;
}

/**
 * Reads a key ring: `id:base64` entries, separated by lines or commas, 32 bytes each; the last is current.
 * The problem never repeats key material.
 */
export function parseKeyRing(text: string): { ring: KeyRing } | { problem: string } {
  const keys = new Map<string, Buffer>();
  let current: string | null = null;
  for (const [index, entry] of text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .entries()) {
    const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry);
    const [id, material] = [match?.[1], match?.[2]];
    if (id === undefined || material === undefined)
      return { problem: `entry ${index + 1} is not of the form id:base64 with a key of 32 bytes.` };
    if (keys.has(id)) return { problem: `the key id "${id}" is there twice.` };
    keys.set(id, Buffer.from(material, 'base64'));
    current = id;
  }
  return current === null ? { problem: 'there is no key.' } : { ring: { current, keys } };
}

/**
 * The names of the keys of a ring among servers, in its order: the id, and a digest, as two servers may have different
 * keys by one id.
 */
export function keyNames({ keys }: KeyRing): readonly string[] {
  return [...keys].map(([id, key]) => keyName(id, key));
}

/** The name of one key. */
export function keyName(id: string, key: Buffer): string {
  return `${id}.${createHmac('sha256', key).update('wheelhouse name of a key').digest('hex').slice(0, 16)}`;
}
