import type { PersistedValue } from './persisted.ts';
import { membersOf, parseStored } from './stored.ts';

/** The time that usage charts show, s. */
export const usageRanges = [
  { text: '15 min', seconds: 900 },
  { text: '1 h', seconds: 3_600 },
] as const;
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
