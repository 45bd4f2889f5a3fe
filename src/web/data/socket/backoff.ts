const firstPause = 500;
const maxPause = 4_000;

/**
 * How long to wait before a try (ms): half a second, doubling up to 4 s, less a random half so that pages do not come back
 * all at once. It stays short, as somebody looks: a console that restarted is back within seconds. (Browsers slow the
 * timers of hidden pages down by themselves.)
 * @param attempt counts from 1
 * @param random 0 (inclusive) to 1 (exclusive)
 */
export function backoff(attempt: number, random: number): number {
  const pause = Math.min(maxPause, firstPause * 2 ** Math.min(attempt - 1, 10));
  return Math.round(pause / 2 + (pause / 2) * random);
}
