import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { useWorkspace } from '../workspace/port.ts';
import { useKeyText } from '../keyboard/Keys.tsx';
import { holds } from '../../registry/commands/registry.ts';
import { useCell } from '../core/state/state.ts';
import { Button } from '../kit/Button.tsx';

/**
 * "Create Resource" in the top bar, for people who may create resources on the selected cluster. Its room is kept until
 * the permissions are known, so that nothing beside it moves under a finger.
 */
export function CreateButton() {
  const { moment, registry, run } = useCommands();
  const { queries } = useData();
  const { workspace } = useWorkspace();
  const command = registry.get('resource.create');
  const keys = useKeyText(command.id);
  const clusterId = useCell(workspace.state, (state) => state.clusterId);
  // Asked by the shell: here only heard of.
  const { isPending } = useQuery({ ...queries.permissions(clusterId ?? 0), enabled: false });
  const isAwaited = clusterId !== undefined && isPending;
  if (!isAwaited && !holds(command.needs, moment.may())) return null;
  return (
    <Button
      className={isAwaited ? 'invisible' : ''}
      icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />}
      title={keys === undefined ? undefined : `Create Resource  ${keys}`}
      onClick={() => run(command.id)}
    >
      <span className="max-lg:sr-only">Create Resource</span>
    </Button>
  );
}
