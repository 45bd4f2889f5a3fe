import type { AttentionAffected } from '../../../contract/dashboard.ts';
import { kindById } from './declared.ts';
import { kindLabel } from './names.ts';

type Counted = Pick<AttentionAffected, 'relation' | 'count'>;

/** The words around the number of objects for which a line stands; a narrow place has room for `short` alone. */
export function affectedWords({ relation, count }: Counted) {
  const isOne = count === 1;
  if (relation === 'waiting') {
    const verb = isOne ? 'waits' : 'wait';
    return { noun: isOne ? 'workload' : 'workloads', verb, rest: 'for it', short: verb };
  }
  const noun = isOne ? 'other' : 'others';
  return { noun, verb: isOne ? 'has' : 'have', rest: 'the same cause', short: noun };
}

/** How many objects a line stands for: `71 workloads wait for it`, `13 others have the same cause`. */
export function affectedCount(affected: Counted): string {
  const { noun, verb, rest } = affectedWords(affected);
  return `${affected.count} ${noun} ${verb} ${rest}`;
}

/** The same by kind: `68 Deployments and 3 StatefulSets wait for it`, `13 Deployments have the same cause`. */
export function affectedText(affected: AttentionAffected): string {
  const parts = affected.kinds.map(
    (one) => `${one.count} ${one.count === 1 ? kindLabel(one.kind) : pluralOf(one.kind)}`,
  );
  const { verb, rest } = affectedWords(affected);
  return `${new Intl.ListFormat('en-GB').format(parts)} ${verb} ${rest}`;
}

const pluralOf = (kind: string): string => kindById(kind)?.title ?? `${kindLabel(kind)} objects`;
