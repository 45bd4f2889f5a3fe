import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useApp } from '../core/context.ts';
import { mayOf } from '../app/moment.ts';
import { useKeyText } from '../keyboard/Keys.tsx';
import { holds } from '../../registry/registry.ts';
import { useCell } from '../core/state/state.ts';
import { Button } from '../kit/Button.tsx';

/**
 * "Create Resource" in the top bar, for whoever may create resources on the selected cluster. Its room is kept until that
 * is known, so that nothing beside it moves under a finger.
 */
export function CreateButton() {
  const app = useApp();
  const command = app.registry.get('resource.create');
  const keys = useKeyText(command.id);
  const clusterId = useCell(app.workspace.state, (state) => state.clusterId);
  // Asked by the shell: here only heard of.
  const { isPending } = useQuery({ ...app.queries.permissions(clusterId ?? 0), enabled: false });
  const isAwaited = clusterId !== undefined && isPending;
  if (!isAwaited && !holds(command.needs, mayOf(app))) return null;
  return (
    <Button
      className={isAwaited ? 'invisible' : ''}
      icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />}
      title={keys === undefined ? undefined : `Create Resource  ${keys}`}
      onClick={() => app.run(command.id)}
    >
      <span className="max-lg:sr-only">Create Resource</span>
    </Button>
  );
}
