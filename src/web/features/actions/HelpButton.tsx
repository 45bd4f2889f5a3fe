import { actionById } from '../../../../commands/kinds/index.ts';
import type { AttentionLine } from '../../../contract/dashboard.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button, type ButtonVariant } from '../../kit/Button.tsx';
import { Icon } from '../../kit/icons.tsx';
import { helpOf } from './help.ts';

const nothing = () => {};

interface HelpButtonProps {
  readonly action: NonNullable<AttentionLine['action']>;
  readonly clusterId: number;
  readonly variant?: ButtonVariant;
  /** Classes that the surroundings add to its label. */
  readonly labelClass?: string;
  /** With a reason against the action: it can have the focus all the same, as it may when that reason comes. */
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
      onRefused={keepsFocus ? nothing : undefined}
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
