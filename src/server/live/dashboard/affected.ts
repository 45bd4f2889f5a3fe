import { type AffectedKind, type AttentionAffected, attentionObjects } from '../../../contract/dashboard.ts';
import type { Ref } from '../../../contract/objects.ts';

/** Objects by kind, the kind with the most first, and by name. */
export function affectedOf(relation: AttentionAffected['relation'], refs: readonly Ref[]): AttentionAffected {
  const counts = new Map<string, number>();
  for (const { kind } of refs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts]
    .map(([kind, count]): AffectedKind => ({ kind, count }))
    .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
  const nameOf = ({ namespace = '', name }: Ref) => `${namespace}/${name}`;
  const sorted = refs.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return { relation, kinds, objects: sorted.slice(0, attentionObjects), count: refs.length };
}
