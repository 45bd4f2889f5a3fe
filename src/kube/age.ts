/**
 * Formats a duration in seconds as kubectl does: "4s", "12m", "3h20m", "5d3h", "41d", "2y3d"; what is yet to come, by a
 * clock that is a little behind, is "0s". Source: apimachinery duration.HumanDuration.
 */
export function formatAge(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  const s = Math.max(0, Math.floor(seconds));
  if (s < 120) return `${s}s`;
  const minutes = Math.floor(s / 60);
  if (minutes < 10) return s % 60 === 0 ? `${minutes}m` : `${minutes}m${s % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(s / 3600);
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`;
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.floor(hours / 24 / 365);
  if (hours < 24 * 365 * 8) return days % 365 === 0 ? `${years}y` : `${years}y${days % 365}d`;
  return `${years}y`;
}

/** Converts an ISO time to whole seconds since 1970; null if it is missing or invalid. */
export function epochSeconds(iso: string | null | undefined): number | null {
  const time = Date.parse(iso ?? '');
  return Number.isNaN(time) ? null : Math.floor(time / 1000);
}
