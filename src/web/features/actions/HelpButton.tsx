import { actionById } from '../../../../commands/kinds/index.ts';
import type { AttentionLine } from '../../../contract/dashboard.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button, type ButtonVariant } from '../../kit/Button.tsx';
import { Icon } from '../../kit/icons.tsx';
import { helpOf } from './help.ts';

interface HelpButtonProps {
  readonly action: NonNullable<AttentionLine['action']>;
  readonly clusterId: number;
  readonly variant?: ButtonVariant;
  /** Classes that the surroundings add to its label. */
  readonly labelClass?: string;
  /** It keeps the focus when a reason against the action comes. */
  readonly keepsFocus?: boolean;
}

/** The action that helps against a trouble, on the objects it helps on. */
export function HelpButton({
  action,
  clusterId,
  variant = 'secondary',
  labelClass,
  keepsFocus = false,
}: HelpButtonProps) {
  const { run } = useCommands();
  const { kinds } = useData();
  const help = helpOf(kinds, clusterId, action);
  if (help === undefined) return null;
  const { facts, refs } = help;
  return (
    <Button
      size="sm"
      variant={variant}
      icon={<Icon name={facts.icon} size={13} />}
      reason={action.reason}
      keepsFocus={keepsFocus}
      title={`${actionById(facts.id)?.description ?? facts.title} ${refs[0].name}`}
      onClick={(event) => {
        event.stopPropagation();
        run(facts.id, {}, { subject: { type: 'objects', refs, from: 'args' } });
      }}
    >
      <span className={labelClass}>{facts.title}</span>
    </Button>
  );
}
