const first = 500;
const longest = 4_000;

/**
 * How long to wait before a try (ms): half a second, doubling up to 4 s, of which a random half is taken off so that
 * pages do not come back all at once. It stays short: a console that restarted is back within seconds, and somebody
 * looks. (Browsers slow the timers of hidden pages down by themselves.) `attempt` counts from 1; `random` is 0 to 1.
 */
export function backoff(attempt: number, random: number): number {
  const full = Math.min(longest, first * 2 ** Math.min(attempt - 1, 10));
  return Math.round(full / 2 + (full / 2) * random);
}
