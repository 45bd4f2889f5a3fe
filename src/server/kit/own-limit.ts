import { Problem } from '../../contract/problem.ts';

/** Time until something that was refused may be asked for again, where nothing better is known, s. */
const usualWait = 10;

/**
 * A refusal for the console's own sake, as it has no memory or no time left: it says nothing of the cluster, and the same
 * may be asked for again.
 */
export class OwnLimit extends Problem {
  /** Seconds. */
  readonly retryAfter: number;

  constructor(
    title: string,
    { retryAfter = usualWait, cause }: { retryAfter?: number; cause?: unknown } = {},
  ) {
    super({ status: 503, title }, cause === undefined ? undefined : { cause });
    this.name = 'OwnLimit';
    this.retryAfter = retryAfter;
  }
}
