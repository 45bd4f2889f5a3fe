import type { PersistedValue } from './persisted.ts';
import { membersOf, parseStored } from './stored.ts';

/** The time that usage charts show, s. */
export const usageRanges = [
  { text: '15 min', words: 'the last 15 minutes', seconds: 900 },
  { text: '1 h', words: 'the last hour', seconds: 3_600 },
  { text: '6 h', words: 'the last 6 hours', seconds: 21_600 },
  { text: '24 h', words: 'the last 24 hours', seconds: 86_400 },
  { text: '7 d', words: 'the last 7 days', seconds: 604_800 },
] as const;
/** What the console samples itself is kept as long as this, s: longer times need a Prometheus. */
export const longestSampled = 3_600;
export type UsageSeconds = (typeof usageRanges)[number]['seconds'];

const version = 1;
const usualSeconds: UsageSeconds = 900;

/** How the chosen time is kept in this browser: one for all charts. */
export const usageRange: PersistedValue<UsageSeconds> = {
  key: 'wheelhouse.usage-range',
  read(text) {
    const stored = membersOf(parseStored(text), version).seconds;
    return usageRanges.find(({ seconds }) => seconds === stored)?.seconds ?? usualSeconds;
  },
  write: (seconds) => (seconds === usualSeconds ? null : JSON.stringify({ version, seconds })),
};
