import { useState } from 'react';
import type { Team } from '../../../contract/teams.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { TextField, TitleField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { useForm } from '../../kit/use-form.ts';
import { useReread } from '../use-change.ts';

interface TeamDialogProps {
  /** The team that is changed; a new one without. */
  readonly team?: Team;
  readonly onClose: () => void;
  readonly onDone?: (team: Team) => void;
}

/** Asks for the name and the description of a team. */
export function TeamDialog({ team, onClose, onDone }: TeamDialogProps) {
  const { services } = useCommands();
  const { api } = useData();
  const reread = useReread();
  const [name, setName] = useState(team?.name ?? '');
  const [description, setDescription] = useState(team?.description ?? '');
  const form = useForm(async () => {
    const body = { name, description };
    const saved =
      team === undefined
        ? await api.createTeam({ body })
        : await api.updateTeam({ params: { teamId: team.id }, body });
    await reread();
    services.toast.success(team === undefined ? 'Team created' : 'Team saved', { detail: saved.name });
    onClose();
    onDone?.(saved);
  });
  const isChanged = name !== (team?.name ?? '') || description !== (team?.description ?? '');
  return (
    <FormDialog
      title={team === undefined ? 'New team' : `Rename ${team.name}`}
      form={form}
      isChanged={isChanged}
      act={team === undefined ? 'Create team' : 'Save'}
      acting="Saving..."
      reason={name.trim() === '' ? 'Enter a name for the team.' : undefined}
      onClose={onClose}
    >
      <TitleField value={name} error={form.issue('name')} onChange={setName} />
      <TextField
        label="Description"
        maxLength={1000}
        autoComplete="off"
        value={description}
        error={form.issue('description')}
        help="The team’s purpose, for other people."
        onChange={({ target }) => setDescription(target.value)}
      />
    </FormDialog>
  );
}
