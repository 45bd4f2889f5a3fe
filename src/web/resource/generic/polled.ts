import { Problem } from '../../../contract/problem.ts';
import { sentenceOf } from '../../../registry/execute.ts';
import { clock, type Freshness } from '../../data/live/freshness.ts';
import type { LiveBase } from '../../data/live/subscription.ts';

/** What is asked for again and again is asked for this often (ms). */
export const pollInterval = 10_000;

/** An answer that is asked for, as a query gives it. */
interface Polled {
  readonly dataUpdatedAt: number;
  readonly error: Error | null;
  readonly isSuccess: boolean;
}

/** How fresh something is that is asked for instead of followed. Times are the page's clock in ms. */
export function polledFreshness({ dataUpdatedAt, error, isSuccess }: Polled, title: string): Freshness {
  if (error !== null && dataUpdatedAt > 0) return { look: 'stale', text: `As of ${clock(dataUpdatedAt)}` };
  if (error !== null) return { look: 'none', text: 'No data' };
  if (!isSuccess) return { look: 'loading', text: `Loading ${title}` };
  return { look: 'quiet', text: `Read at ${clock(dataUpdatedAt)}`, figure: 'every 10 s' };
}

/** What is known of an answer, in the form of something live. */
export function polledBase({ dataUpdatedAt, error, isSuccess }: Polled): LiveBase {
  const since = new Date(dataUpdatedAt === 0 ? Date.now() : dataUpdatedAt).toISOString();
  if (error === null || dataUpdatedAt > 0)
    return {
      complete: isSuccess || dataUpdatedAt > 0,
      state: { status: isSuccess ? 'live' : 'loading', since },
    };
  const title = sentenceOf(error);
  if (error instanceof Problem && error.status === 403)
    return { complete: false, state: { status: 'forbidden', since, message: title } };
  return { complete: false, state: { status: 'unreachable', since, message: title } };
}
