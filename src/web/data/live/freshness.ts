import type { Connection } from './live.ts';
import type { LiveBase } from './subscription.ts';

/** Anything live; only lists have rows. */
type FreshData = LiveBase & { readonly rows?: ReadonlyMap<string, unknown> };

/** How fresh something live is, in words, for its status line. */
export interface Freshness {
  readonly look: 'live' | 'quiet' | 'loading' | 'stale' | 'none' | 'failed';
  readonly text: string;
  /** A muted figure behind the text, e.g. `0.2 s ago`. */
  readonly figure?: string;
}

/** Whether asking again may help. */
export const isRetryable = ({ look }: Freshness): boolean =>
  look === 'stale' || look === 'none' || look === 'failed';

/** A broken line is only called stale after so long (ms): most come back at once. */
const patience = 4_000;

/**
 * The words for a list, an object or a dashboard. Times are the page's clock in ms.
 * @param title what it is, e.g. `Pods`
 */
export function freshnessOf(
  list: FreshData | undefined,
  connection: Pick<Connection, 'phase' | 'attempt' | 'heardAt' | 'skew'>,
  title: string,
  now: number,
): Freshness {
  const plural = lowerFirst(title);
  if (list?.ended !== undefined)
    return list.ended.status === 403
      ? { look: 'none', text: 'No access' }
      : { look: 'failed', text: 'No data' };
  if (list?.pausedAt !== undefined) {
    return { look: 'quiet', text: `As of ${clock(Date.parse(list.pausedAt))}, refreshing` };
  }
  const status = list?.state.status ?? 'loading';
  if (status === 'forbidden') return { look: 'none', text: 'No access' };
  if (status === 'absent') return { look: 'none', text: 'Not served by this cluster' };
  if (status === 'unreachable') return { look: 'failed', text: 'No data' };
  const isLost = connection.phase !== 'open' && connection.heardAt > 0;
  if (list === undefined || (!list.complete && (list.rows?.size ?? 0) === 0)) {
    if (isLost) return { look: 'stale', text: `Reconnecting (${connection.attempt})` };
    const since = list === undefined ? now : Date.parse(list.state.since) - connection.skew;
    return { look: 'loading', text: `Loading ${plural}`, figure: duration(now - since) };
  }
  if (isLost) {
    if (now - connection.heardAt < patience) return { look: 'quiet', text: 'Reconnecting' };
    return stale(connection.heardAt, connection.attempt);
  }
  if (status === 'reconnecting') return { look: 'quiet', text: 'Reconnecting' };
  if (status === 'stale')
    return stale(Date.parse(list.state.since) - connection.skew, list.state.attempt ?? 1);
  if (!list.complete) return { look: 'loading', text: `Loading ${plural}` };
  return { look: 'live', text: 'Live', figure: `${duration(now - connection.heardAt)} ago` };
}

/**
 * The moment for which the ages of a list are told, page's clock in ms: now while it is live, else when its rows were
 * last known to be true, so that ages stop where the data did.
 */
export function agesAt(
  list: LiveBase | undefined,
  connection: Pick<Connection, 'phase' | 'heardAt' | 'skew'>,
  now: number,
): number {
  if (list?.pausedAt !== undefined) return Date.parse(list.pausedAt);
  if (connection.phase !== 'open' && connection.heardAt > 0) return connection.heardAt;
  return list?.state.status === 'stale' ? Date.parse(list.state.since) - connection.skew : now;
}

const stale = (since: number, attempt: number): Freshness => ({
  look: 'stale',
  text: `Stale since ${clock(since)}, reconnecting (${Math.max(1, attempt)})`,
});

/** A title as it reads inside a sentence: abbreviations (HPAs) and names (Helm) keep their capitals. */
export function lowerFirst(title: string): string {
  return /^[A-Z]{2}|^Helm\b|[a-z][A-Z]/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

/** Time of day, HH:MM:SS, where the person is. */
export function clock(time: number): string {
  return new Date(time).toTimeString().slice(0, 8);
}

/** A short span in words: `0.2 s`, `14 s`, `3 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.round(seconds / 60)} min`;
}
