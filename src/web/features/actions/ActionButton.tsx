import { actionFactsById } from '../../../../commands/kinds/later-facts.ts';
import type { ActionState } from '../../../contract/objects.ts';
import type { ActionFacts } from '../../../registry/kinds/kind-facts.ts';
import { useCommands } from '../../core/commands.ts';
import { useKeyText } from '../../keyboard/Keys.tsx';
import { Button } from '../../kit/Button.tsx';
import { Icon } from '../../kit/icons.tsx';
import type { Refs } from './acting.ts';

interface ActionButtonProps {
  readonly action: ActionFacts;
  readonly refs: Refs;
  /** Whether it can be done now; undefined while that is not known. */
  readonly state: ActionState | undefined;
}

/** An action on objects as a button: disabled with its reason while it cannot be done. */
export function ActionButton({ action, refs, state }: ActionButtonProps) {
  const { run } = useCommands();
  const reason = typeof state?.enabled === 'string' ? state.enabled : undefined;
  const keys = useKeyText(action.id);
  return (
    <Button
      size="sm"
      variant="secondary"
      icon={<Icon name={action.icon} size={14} />}
      title={
        keys === undefined
          ? (actionFactsById(action.id)?.description ?? action.title)
          : `${actionFactsById(action.id)?.description ?? action.title}  ${keys}`
      }
      reason={reason}
      onClick={() => run(action.id, {}, { subject: { type: 'objects', refs, from: 'args' } })}
    >
      <span className="group-data-long/head:@max-[34rem]:sr-only @max-[23rem]:sr-only">{action.title}</span>
    </Button>
  );
}
