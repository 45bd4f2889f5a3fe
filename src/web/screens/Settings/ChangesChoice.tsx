import { useQuery } from '@tanstack/react-query';
import type { ChangeGuard } from '../../../contract/preferences.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Choices } from './Choices.tsx';

const guards: readonly { readonly value: ChangeGuard; readonly title: string; readonly help: string }[] = [
  {
    value: 'confirm',
    title: 'Ask first',
    help: 'A dialog asks first, and Enter confirms. Where something is deleted the dialog begins on Cancel.',
  },
  {
    value: 'hold',
    title: 'Hold for 5 s',
    help: 'The change is sent after 5 s. Undo in the message, u, Ctrl+Z or Esc stops it before. Whatever deletes something still asks first.',
  },
];

/** How changes by a single key, button or menu entry are guarded: a restart, a pause, a cordon. */
export function ChangesChoice() {
  const { run } = useCommands();
  const { queries } = useData();
  const userId = useQuery(queries.session).data?.id ?? 0;
  const stored = useQuery({ ...queries.preferences(userId), enabled: userId !== 0 });
  return (
    <Choices
      name="changes"
      legend="Restart, pause, cordon and the like, by a single key or press."
      choices={guards}
      chosen={stored.data?.changes}
      onChoose={(changes) => run('changes.guard', { changes })}
    >
      <ErrorAlert
        title="This choice could not be loaded."
        error={stored.error}
        onRetry={() => void stored.refetch()}
        isRetrying={stored.isFetching}
      />
    </Choices>
  );
}
