import type { AttentionLine } from '../../contract/dashboard.ts';
import { useApp } from '../app/context.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';
import { refIn } from './acting.ts';

interface HelpButtonProps {
  readonly action: NonNullable<AttentionLine['action']>;
  readonly clusterId: number;
}

/** The action that helps against a trouble, on the objects it helps on. */
export function HelpButton({ action, clusterId }: HelpButtonProps) {
  const { run, kinds } = useApp();
  const [first, ...rest] = action.refs.map((ref) => refIn(clusterId, ref));
  const kind = first === undefined ? undefined : kinds.of(first.cluster, first.kind);
  // Trouble may name what helps before this console can do it.
  const facts = kind?.actions.find(({ id }) => id === action.id);
  if (first === undefined || facts === undefined) return null;
  return (
    <Button
      size="sm"
      variant="secondary"
      icon={<Icon name={facts.icon} size={13} />}
      title={`${facts.description} ${first.name}`}
      onClick={(event) => {
        event.stopPropagation();
        run(action.id, {}, { subject: { type: 'objects', refs: [first, ...rest], from: 'args' } });
      }}
    >
      {facts.title}
    </Button>
  );
}
