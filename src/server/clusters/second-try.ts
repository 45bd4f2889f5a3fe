/** A request whose answer has not begun after this long is sent again beside itself, ms. */
export const secondTryAfter = 2_500;

/** One of the tries of a request. */
export interface Try {
  readonly isFirst: boolean;
  /** Ends it when its caller goes away or another try was answered. */
  readonly signal: AbortSignal;
  /** To be called when its answer begins: the other tries are given up. */
  readonly answered: () => void;
}

/** How a request is tried. */
export interface TryOptions<T> {
  readonly send: (one: Try) => Promise<T>;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** Number of tries, the first one included. */
  readonly most: number;
  /** Whether a try that ended with this error was answered. */
  readonly isAnswer: (error: unknown) => boolean;
}

/**
 * Sends a request, and again after each pause in which no answer began: an answer may be lost on its way while the
 * cluster answers everything else. The first try goes on, since it may only be slow; of the later ones only the newest
 * does. The first answer counts, also one that refuses. Without one the first try's failure is that of all.
 */
export function withSecondTries<T>({ send, signal, most, isAnswer }: TryOptions<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const running = new Map<number, AbortController>();
  let begun = 0;
  let timer: NodeJS.Timeout | undefined;

  function giveUp(number: number): void {
    const one = running.get(number);
    running.delete(number);
    one?.abort();
  }

  function keepOnly(number: number): void {
    clearTimeout(timer);
    for (const other of running.keys()) if (other !== number) giveUp(other);
  }

  function begin(): void {
    begun += 1;
    const number = begun;
    const ending = new AbortController();
    running.set(number, ending);
    if (begun < most) timer = setTimeout(next, secondTryAfter);
    send({
      isFirst: number === 1,
      signal: signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]),
      answered: () => {
        if (running.has(number)) keepOnly(number);
      },
    }).then(
      (answer) => {
        if (!running.has(number)) return;
        keepOnly(number);
        resolve(answer);
      },
      (error: Error) => {
        if (!running.delete(number)) return;
        const isLast = number === 1 || running.size === 0 || isAnswer(error);
        if (!isLast) return;
        keepOnly(number);
        reject(error);
      },
    );
  }

  function next(): void {
    if (begun > 1) giveUp(begun);
    begin();
  }

  begin();
  return promise;
}
