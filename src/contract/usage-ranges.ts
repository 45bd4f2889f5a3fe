/**
 * The times of which usage can be asked for where a Prometheus keeps it, and how far apart the answer's points are, both
 * in seconds. No answer has more than 241 points.
 */
export const historyRanges = [
  { seconds: 900, step: 15 },
  { seconds: 3_600, step: 30 },
  { seconds: 21_600, step: 120 },
  { seconds: 86_400, step: 600 },
  { seconds: 604_800, step: 3_600 },
] as const;
export type HistorySeconds = (typeof historyRanges)[number]['seconds'];
