import { X } from 'lucide-react';
import type { AtHand } from '../../../registry/commands/services.ts';
import { useCommands } from '../../core/commands.ts';
import { useWhole } from '../../core/use-whole.ts';
import { Button, IconButton } from '../../kit/Button.tsx';
import { Icon } from '../../kit/icons.tsx';

/** Commands on the selected members, with the words of their buttons, in order. */
const acts = [
  ['members.addToTeam', 'Add to team…'],
  ['members.role', 'Role…'],
  ['members.endSessions', 'End sessions…'],
  ['members.suspend', 'Suspend…'],
  ['members.letIn', 'Let in again…'],
  ['members.remove', 'Remove…'],
] as const;

interface SelectionBarProps {
  readonly people: readonly AtHand[];
  readonly onClear: () => void;
}

/** The number of selected members, and what can be done with them. */
export function SelectionBar({ people, onClear }: SelectionBarProps) {
  const { registry, run } = useCommands();
  const isWhole = useWhole();
  const [one, ...others] = people.map(({ id }) => id);
  const person = others.length === 0 ? one : [one, ...others];
  return (
    <div
      role="toolbar"
      aria-label="Acts on the selected members"
      className="z-sticky flex min-h-9 flex-wrap items-center gap-2 rounded-sm border border-border bg-raised px-3 py-1.5 md:sticky md:top-0"
    >
      <span role="status" className="text-xs font-semibold">
        {people.length} selected
      </span>
      {(isWhole ? acts : []).map(([id, words]) => (
        <Button
          key={id}
          size="sm"
          variant="secondary"
          icon={<Icon name={registry.get(id).icon} />}
          onClick={() => run(id, { person })}
        >
          {words}
        </Button>
      ))}
      <span className="min-w-0 flex-1" />
      <IconButton label="Clear the selection" size="sm" onClick={onClear}>
        <X size={14} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
