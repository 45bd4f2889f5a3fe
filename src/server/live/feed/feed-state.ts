import type { Freshness, ListState } from '../../../contract/live.ts';

/** Worst first: of several lists the worst says how fresh the whole is. */
const worstFirst: readonly Freshness[] = [
  'loading',
  'unreachable',
  'stale',
  'silent',
  'reconnecting',
  'polled',
  'live',
];

/** Whether a list cannot be read at all. */
export const isShut = (state: ListState) => state.status === 'forbidden' || state.status === 'absent';

/** “a”, “b” and 3 more. */
export function enumerate(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `“${name}”`);
  if (names.length > shown.length) shown.push(`${names.length - shown.length} more`);
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

/**
 * The state of a list that is read namespace by namespace.
 * Namespaces that may not be read are named while the others are shown; only all of them together are `forbidden`.
 * @param skipped namespaces that are not read because the cluster has too many lists open
 */
export function mergeStates(
  states: ReadonlyMap<string, ListState>,
  skipped: readonly string[] = [],
): ListState | undefined {
  const open = [...states.values()].filter((state) => !isShut(state));
  const ranked = open.sort((a, b) => worstFirst.indexOf(a.status) - worstFirst.indexOf(b.status));
  const result = ranked[0] ?? [...states.values()][0];
  if (result === undefined || (result.status !== 'live' && result.status !== 'polled')) return result;
  const shut = [...states].filter(([, state]) => isShut(state)).map(([namespace]) => namespace);
  const missing = [...shut, ...skipped];
  if (missing.length === 0) return result;
  const message = `Not shown because they cannot be read: ${enumerate(missing)}.`;
  return { ...result, message: result.message === undefined ? message : `${result.message} ${message}` };
}
