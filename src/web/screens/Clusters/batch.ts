import type { Cluster } from '../../../contract/clusters.ts';

/** The answer to a batch, and how many were requested. */
export interface BatchOutcome {
  readonly added: number;
  readonly asked: number;
  readonly errors: readonly string[];
}

/**
 * The sentence after adding several clusters (specification section 5): success when any was created, else a failure
 * of all errors, line by line.
 */
export function batchMessage({ added, asked, errors }: BatchOutcome): {
  readonly isSuccess: boolean;
  readonly text: string;
} {
  if (added === 0 && errors.length > 0) return { isSuccess: false, text: errors.join('\n') };
  if (added === asked) return { isSuccess: true, text: `Successfully added ${added} clusters` };
  return { isSuccess: true, text: `Successfully added ${added} out of ${asked} clusters` };
}

/** The clusters that are known, and those just added: each once, as a reading on its way may have brought them already. */
export function withAdded(known: readonly Cluster[], added: readonly Cluster[]): readonly Cluster[] {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...added.filter(({ id }) => !ids.has(id))];
}
