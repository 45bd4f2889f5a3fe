import { actionFacts } from '../../../commands/kinds/action-facts.ts';
import type { ActionFacts, KindFacts } from '../../registry/kind-facts.ts';

/** The actions of a kind. No list waits for them: only what is loaded after the first one asks here. */
export function actionsOf(kind: KindFacts): readonly ActionFacts[] {
  return kind.actions ?? actionFacts[kind.id] ?? [];
}
