import { formatAge } from '../../../kube/age.ts';
import type { Connection } from './live.ts';
import type { LiveBase } from './base.ts';

/** Anything live; only lists have rows. */
type FreshData = LiveBase & { readonly rows?: { readonly size: number } };

/** How fresh something live is, in words, for its status line. */
export interface Freshness {
  readonly look: 'live' | 'quiet' | 'loading' | 'stale' | 'none' | 'failed';
  /** Changes only with the state: a screen reader announces it. */
  readonly text: string;
  /** A muted figure behind the text, e.g. `3 s ago`. */
  readonly figure?: string;
  /** Why it is not simply live, one sentence. */
  readonly why?: string;
}

/** Whether asking again may help. */
export const isRetryable = ({ look }: Freshness): boolean =>
  look === 'stale' || look === 'none' || look === 'failed';

/** Delay before a broken connection is called stale, ms: most reconnect at once. */
const patience = 4_000;

/** The subject whose freshness is described, and at what time. */
export interface FreshSubject {
  /** Its title, e.g. `Pods`. */
  readonly title: string;
  readonly clusterId: number;
  /** The page's clock, ms. */
  readonly now: number;
}

/** The words for a list, an object or a dashboard. What they say is about the cluster, as far as the page can know it. */
export function freshnessOf(
  list: FreshData | undefined,
  connection: Pick<Connection, 'phase' | 'attempt' | 'heardAt' | 'skew' | 'clusters'> &
    Partial<Pick<Connection, 'ahead'>>,
  { title, clusterId, now }: FreshSubject,
): Freshness {
  const plural = lowerFirst(title);
  if (list?.ended !== undefined)
    return list.ended.status === 403
      ? { look: 'none', text: 'No access' }
      : { look: 'failed', text: 'No data' };
  if (list?.pausedAt !== undefined) {
    return { look: 'quiet', text: `As of ${clockOf(Date.parse(list.pausedAt), now)}, refreshing` };
  }
  const status = list?.state.status ?? 'loading';
  if (status === 'forbidden') return { look: 'none', text: 'No access' };
  if (status === 'absent') return { look: 'none', text: 'Not served by this cluster' };
  const read = list?.complete === false ? (list.rows?.size ?? 0) : 0;
  if (status === 'unreachable') {
    if (read === 0) return { look: 'failed', text: 'Unreachable' };
    const cause = list?.state.message === undefined ? '' : ` ${list.state.message}`;
    const why = `Reading the ${plural} was interrupted, so the list is incomplete.${cause}`;
    return { look: 'failed', text: 'Not complete,', figure: `${count(read)} read`, why };
  }
  const isLost = connection.phase !== 'open' && connection.heardAt > 0;
  if (list === undefined || (!list.complete && (list.rows?.size ?? 0) === 0)) {
    if (isLost) return { look: 'stale', text: 'Reconnecting', figure: tries(connection.attempt) };
    const since = list === undefined ? now : Date.parse(list.state.since) - connection.skew;
    const figure = duration(now - since);
    const wait = list?.state.message;
    return wait === undefined
      ? { look: 'loading', text: `Loading ${plural}`, figure }
      : { look: 'loading', text: `Waiting to load ${plural}`, figure, why: wait };
  }
  if (isLost) {
    if (now - connection.heardAt < patience) return { look: 'quiet', text: 'Reconnecting' };
    return stale(connection.heardAt, connection.attempt);
  }
  const known = Date.parse(list?.state.since ?? '') - connection.skew;
  const why = list.state.message === undefined ? {} : { why: list.state.message };
  if (status === 'reconnecting') return { look: 'quiet', text: 'Reconnecting', ...why };
  if (status === 'stale') return { ...stale(known, list.state.attempt ?? 1), ...why };
  if (status === 'silent') return { look: 'stale', text: `Unreachable since ${clock(known)}`, ...why };
  if (!list.complete)
    return read === 0
      ? { look: 'loading', text: `Loading ${plural}` }
      : { look: 'loading', text: 'Reading,', figure: `${count(read)} so far`, ...why };
  if (status === 'loading' && list.isSettling === true)
    return { look: 'loading', text: 'Reading,', figure: `${count(list.rows?.size ?? 0)} so far` };
  // The server began anew: it knows the list no more, and what shows is from before.
  if (status === 'loading' && list.rows !== undefined)
    return { look: 'quiet', text: 'Reading again', ...why };
  if (status === 'polled') {
    return { look: 'quiet', text: 'Read every 30 s', figure: `${span(now - known)} ago`, ...why };
  }
  const heardAt = connection.clusters[clusterId];
  const figure = heardAt === undefined ? {} : { figure: `${span(now - heardAt)} ago` };
  const clocks =
    list.state.message === undefined ? clockSentence(connection.ahead?.[clusterId] ?? 0) : undefined;
  return { look: 'live', text: 'Live', ...figure, ...why, ...(clocks === undefined ? {} : { why: clocks }) };
}

/** A difference between the clocks of cluster and console that is worth a sentence, ms. */
const toldDifference = 30_000;

/** What the clock of a cluster does to the ages of its objects; undefined where nobody would see it. */
export function clockSentence(ahead: number): string | undefined {
  if (Math.abs(ahead) <= toldDifference) return undefined;
  const side = ahead > 0 ? 'ahead of' : 'behind';
  return `The cluster’s clock is ${formatAge(Math.abs(ahead) / 1000)} ${side} the console’s: ages go by the cluster’s.`;
}

/**
 * The time against which ages are computed, page's clock in ms: now while the list is live, else when its rows were
 * last known to be true, so that ages stop where the data did.
 */
export function agesAt(
  list: LiveBase | undefined,
  connection: Pick<Connection, 'phase' | 'heardAt' | 'skew'>,
  now: number,
): number {
  if (list?.pausedAt !== undefined) return Date.parse(list.pausedAt);
  if (connection.phase !== 'open' && connection.heardAt > 0) return connection.heardAt;
  const isOld = list?.state.status === 'stale' || list?.state.status === 'silent';
  return isOld ? Date.parse(list.state.since) - connection.skew : now;
}

/** The time by the clock of a cluster, ms. @param now the page's */
export const clusterTime = (
  { skew, ahead }: Pick<Connection, 'skew' | 'ahead'>,
  clusterId: string | number | undefined,
  now: number,
): number => now + skew + (ahead[clusterId ?? ''] ?? 0);

const stale = (since: number, attempt: number): Freshness => ({
  look: 'stale',
  text: `Stale since ${clock(since)}, reconnecting`,
  figure: tries(attempt),
});

const count = (rows: number) => rows.toLocaleString('en');

const tries = (attempt: number) => `try ${Math.max(1, attempt)}`;

/** A span in whole seconds, or as `duration` has it. */
const span = (ms: number) => (ms < 10_000 ? `${Math.floor(Math.max(0, ms) / 1000)} s` : duration(ms));

/** A title as it reads inside a sentence: abbreviations (HPAs) and names (Helm) keep their capitals. */
export function lowerFirst(title: string): string {
  return /^[A-Z]{2}|^Helm\b|[a-z][A-Z]/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

/** Time of day, HH:MM:SS, where the person is. */
export function clock(time: number): string {
  return new Date(time).toTimeString().slice(0, 8);
}

/** The same with its day where that is not today. @param now epoch ms */
function clockOf(time: number, now: number): string {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return isToday ? clock(time) : `yesterday, ${clock(time)}`;
}

/** A short span in words: `0.2 s`, `14 s`, `3 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.round(seconds / 60)} min`;
}
