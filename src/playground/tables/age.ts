const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Two adjacent units, the smaller one omitted when zero: "5d3h", "5d". */
function pair(seconds: number, large: number, small: number, units: readonly [string, string]): string {
  const rest = Math.floor((seconds % large) / small);
  return `${Math.floor(seconds / large)}${units[0]}${rest === 0 ? '' : `${rest}${units[1]}`}`;
}

/**
 * A duration (ms) as the API server's tables print it, coarser the longer it is. Source: apimachinery
 * duration.HumanDuration, which tolerates clock skew below two seconds.
 */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (!(seconds >= -1)) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return pair(seconds, minute, 1, ['m', 's']);
  if (seconds < 3 * hour) return `${Math.floor(seconds / minute)}m`;
  if (seconds < 8 * hour) return pair(seconds, hour, minute, ['h', 'm']);
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)}h`;
  if (seconds < 8 * day) return pair(seconds, day, hour, ['d', 'h']);
  if (seconds < 2 * year) return `${Math.floor(seconds / day)}d`;
  if (seconds < 8 * year) return pair(seconds, year, day, ['y', 'd']);
  return `${Math.floor(seconds / year)}y`;
}

/** The age of an ISO time, with `now` in ms; "<invalid>" for an invalid time. */
export const ageOf = (time: string, now: number): string => humanDuration(now - Date.parse(time));
