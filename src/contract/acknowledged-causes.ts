import type { AttentionCause } from './dashboard.ts';

interface Causes {
  readonly causes: readonly AttentionCause[];
}

/** Whether an acknowledgement that has not ended is about trouble with these causes, none of them greater than it was. */
export function isCovered({ causes }: Causes, acknowledgement: Causes): boolean {
  const known = new Map(acknowledgement.causes.map(({ rule, extent }) => [rule, extent]));
  return causes.every(({ rule, extent }) => extent <= (known.get(rule) ?? -1));
}
