import { actionFactsById } from '../../../../commands/kinds/later-facts.ts';
import type { AttentionLine } from '../../../contract/dashboard.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button, type ButtonVariant } from '../../kit/Button.tsx';
import { Icon } from '../../kit/icons.tsx';
import { helpOf, reasonAgainst } from './help.ts';
import { useActionStates } from './use-action-states.ts';

interface HelpButtonProps {
  readonly action: NonNullable<AttentionLine['action']>;
  readonly clusterId: number;
  readonly variant?: ButtonVariant;
  /** Classes that the surroundings add to its label. */
  readonly labelClass?: string;
  /** The reason against the action stands beside it; otherwise it is its tooltip alone. */
  readonly saysWhy?: boolean;
}

/** The action that helps against a trouble, on the objects it helps on, if the server says that it can be done now. */
export function HelpButton({
  action,
  clusterId,
  variant = 'secondary',
  labelClass,
  saysWhy = false,
}: HelpButtonProps) {
  const { run } = useCommands();
  const { kinds } = useData();
  const help = helpOf(kinds, clusterId, action);
  // The trouble comes with the verdict of the object's own fields; only a call looks for what lies beyond them.
  const states = useActionStates(action.reason === undefined ? help?.refs : undefined);
  if (help === undefined) return null;
  const { facts, refs } = help;
  const reason = action.reason ?? reasonAgainst(facts, states);
  return (
    <>
      <Button
        size="sm"
        variant={variant}
        icon={<Icon name={facts.icon} size={13} />}
        reason={reason}
        // The reason may come while the focus is here.
        keepsFocus
        title={`${actionFactsById(facts.id)?.description ?? facts.title} ${refs[0].name}`}
        onClick={(event) => {
          event.stopPropagation();
          run(facts.id, {}, { subject: { type: 'objects', refs, from: 'args' } });
        }}
      >
        <span className={labelClass}>{facts.title}</span>
      </Button>
      {saysWhy && reason !== undefined && (
        <span className="min-w-0 text-xs wrap-anywhere text-text-2">{reason}</span>
      )}
    </>
  );
}
