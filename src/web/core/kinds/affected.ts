import type { AttentionAffected } from '../../../contract/dashboard.ts';
import { kindById } from './declared.ts';
import { kindLabel } from './names.ts';

/** The words around the number of objects that another one takes with it. */
export const affectedWords = ({ count }: Pick<AttentionAffected, 'count'>) =>
  count === 1 ? { noun: 'workload', verb: 'waits' } : { noun: 'workloads', verb: 'wait' };

/** How many objects another one takes with it: `71 workloads wait for it`. */
export function affectedCount(affected: Pick<AttentionAffected, 'count'>): string {
  const { noun, verb } = affectedWords(affected);
  return `${affected.count} ${noun} ${verb} for it`;
}

/** The objects that another one takes with it, by kind: `68 Deployments and 3 StatefulSets wait for it`. */
export function affectedText({ kinds, count }: AttentionAffected): string {
  const parts = kinds.map(
    (one) => `${one.count} ${one.count === 1 ? kindLabel(one.kind) : pluralOf(one.kind)}`,
  );
  return `${new Intl.ListFormat('en-GB').format(parts)} ${count === 1 ? 'waits' : 'wait'} for it`;
}

const pluralOf = (kind: string): string => kindById(kind)?.title ?? `${kindLabel(kind)} objects`;
