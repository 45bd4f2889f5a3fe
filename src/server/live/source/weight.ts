import type { Entry } from './projector.ts';

/** The fixed cost of an entry: the objects that hold its values, bytes. */
const frame = 200;

function weightOfValue(value: unknown): number {
  // Two bytes for each character: what is outside Latin-1 needs as much.
  if (typeof value === 'string') return 16 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + weightOfValue(one), 16);
  return Object.entries(value).reduce((sum, [key, one]) => sum + weightOfValue(key) + weightOfValue(one), 16);
}

/** The parts of an entry that count; its version is no longer than any other. */
const parts = [
  'uid',
  'name',
  'namespace',
  'labels',
  'owners',
  'refs',
  'links',
  'facts',
  'attention',
  'later',
  'cells',
] as const satisfies readonly (keyof Entry)[];

/**
 * About how much memory an entry takes, bytes. Values that entries share count for each of them: it is rather too much
 * than too little. The same for the same entry whenever it is asked.
 */
export function weightOf(entry: Entry): number {
  return parts.reduce((sum, part) => sum + weightOfValue(entry[part]), frame);
}

/** The increase in size when an entry replaces another; parts that both share are not counted. */
export function weightGained(next: Entry, previous: Entry): number {
  return parts.reduce((sum, part) => {
    const [now, before] = [next[part], previous[part]];
    return now === before ? sum : sum + weightOfValue(now) - weightOfValue(before);
  }, 0);
}
