/** Remembers a value as the one asked for last, and forgets the oldest of more than `most`. */
export function keepLatest<K, V>(known: Map<K, V>, key: K, value: V, most: number): void {
  known.delete(key);
  known.set(key, value);
  for (const oldest of known.keys()) {
    if (known.size <= most) break;
    known.delete(oldest);
  }
}
