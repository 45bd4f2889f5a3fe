import { kindFacts } from '../../../../commands/kinds/facts.ts';
import type { ActionFacts, KindFacts } from '../../../registry/kind-facts.ts';

const byKind = new Map(kindFacts.map(({ id, actions }) => [id, actions]));

/** The actions of a kind. Brings the code of all kinds along: only what is loaded after the first list asks here. */
export function actionsOf(kind: KindFacts): readonly ActionFacts[] {
  return kind.actions ?? byKind.get(kind.id) ?? [];
}
