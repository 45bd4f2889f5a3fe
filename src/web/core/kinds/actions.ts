import { actionsOfAny, commandKinds } from '../../../../commands/kinds/later-facts.ts';
import type { ActionFacts, KindFacts } from '../../../registry/kinds/kind-facts.ts';

const byKind = new Map(commandKinds.map(({ id, actions }) => [id, actions]));

/** The actions of a kind; those of every object until the server has described a kind without a file. */
export function actionsOf(kind: KindFacts): readonly ActionFacts[] {
  return kind.actions ?? byKind.get(kind.id) ?? actionsOfAny;
}
