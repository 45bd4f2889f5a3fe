/** A signal of our own over the caller's: it also ends by time or by us, and lets go of the caller's when done. */
export interface Bounds {
  readonly signal: AbortSignal;
  abort(): void;
  /** Ends time limit and listening; to be called once the work is over. */
  end(): void;
}

/**
 * @param outer the caller's signal
 * @param limitMs after which the signal aborts with an error of code UND_ERR_BODY_TIMEOUT; none without it
 */
export function bounded(outer: AbortSignal | undefined, limitMs?: number): Bounds {
  const controller = new AbortController();
  const follow = () => controller.abort(outer?.reason);
  if (outer?.aborted === true) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(() => {
          controller.abort(
            Object.assign(new Error(`not done within ${limitMs} ms`), { code: 'UND_ERR_BODY_TIMEOUT' }),
          );
        }, limitMs);
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', follow);
    },
  };
}
