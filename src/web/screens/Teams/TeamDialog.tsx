import { useState } from 'react';
import type { Team } from '../../../contract/teams.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
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
    <Dialog
      title={team === undefined ? 'New team' : `Rename ${team.name}`}
      isSticky={isChanged}
      onClose={onClose}
      footer={
        <>
          <span className="min-w-0 flex-1" />
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            acts
            type="submit"
            form="team-form"
            isLoading={form.isBusy}
            loadingText="Saving..."
            reason={name.trim() === '' ? 'Enter a name for the team.' : undefined}
          >
            {team === undefined ? 'Create team' : 'Save'}
          </Button>
        </>
      }
    >
      <form id="team-form" className={formLook} onSubmit={form.submit}>
        <ErrorAlert message={form.error} />
        <TextField
          label="Name"
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          error={form.issue('name')}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label="Description"
          maxLength={1000}
          autoComplete="off"
          value={description}
          error={form.issue('description')}
          help="What the team looks after, for people who wonder."
          onChange={({ target }) => setDescription(target.value)}
        />
      </form>
    </Dialog>
  );
}
