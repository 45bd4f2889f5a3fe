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
export const affectedText = (affected: AttentionAffected): string =>
  `${byKind(affected)} ${affected.count === 1 ? 'waits' : 'wait'} for it`;

/** The further objects with the same problem by the same cause, by kind: `The same cause: 13 Deployments more`. */
export const alikeText = (alike: AttentionAffected): string => `The same cause: ${byKind(alike)} more`;

function byKind({ kinds }: AttentionAffected): string {
  const parts = kinds.map(
    (one) => `${one.count} ${one.count === 1 ? kindLabel(one.kind) : pluralOf(one.kind)}`,
  );
  return new Intl.ListFormat('en-GB').format(parts);
}

const pluralOf = (kind: string): string => kindById(kind)?.title ?? `${kindLabel(kind)} objects`;
