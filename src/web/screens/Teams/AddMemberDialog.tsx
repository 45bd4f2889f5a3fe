import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { type TeamRole, teamRoles } from '../../../contract/permissions.ts';
import type { Team } from '../../../contract/teams.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { emptyTextOf } from '../../kit/empty-text.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Field } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { PickerMenu } from '../../kit/PickerMenu.tsx';
import { Select } from '../../kit/Select.tsx';
import { useForm } from '../../kit/use-form.ts';
import { roleName, roleOf } from '../team-role.ts';
import { useRoleOptions } from '../use-role-options.ts';
import { useReread } from '../use-change.ts';

interface AddMemberDialogProps {
  readonly team: Team;
  readonly onPut: (userId: number, role: TeamRole) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks who joins a team, and as what. */
export function AddMemberDialog({ team, onPut, onClose }: AddMemberDialogProps) {
  const { services } = useCommands();
  const { queries } = useData();
  const candidates = useQuery(queries.teamCandidates(team.id));
  const reread = useReread();
  const options = useRoleOptions();
  const [userId, setUserId] = useState<number | undefined>(undefined);
  const [role, setRole] = useState<TeamRole>(teamRoles.Viewer);
  const person = candidates.data?.find((one) => one.userId === userId);
  const form = useForm(async () => {
    if (person === undefined) return;
    await onPut(person.userId, role);
    await reread();
    services.toast.success(`${person.name} is ${roleName(role)} of ${team.name}`);
    onClose();
  });
  return (
    <FormDialog
      title={`Add a member to ${team.name}`}
      form={form}
      isChanged={person !== undefined}
      act="Add to team"
      acting="Adding..."
      reason={person === undefined ? 'Choose a person first.' : undefined}
      onClose={onClose}
    >
      <ErrorAlert
        title="Could not load the people of the organisation."
        error={candidates.error}
        onRetry={() => void candidates.refetch()}
        isRetrying={candidates.isFetching}
      />
      <PersonField
        text={person?.name}
        candidates={candidates}
        chosen={userId}
        onChoose={setUserId}
        error={form.issue('UserId')}
      />
      <Select
        label="Role"
        options={options}
        value={String(role)}
        error={form.issue('Role')}
        onChange={(value) => setRole(roleOf(value))}
      />
    </FormDialog>
  );
}

interface PersonFieldProps {
  readonly text: string | undefined;
  readonly candidates: {
    readonly data?:
      | readonly { readonly userId: number; readonly name: string; readonly email: string }[]
      | undefined;
    readonly isFetching: boolean;
    readonly isError: boolean;
  };
  readonly chosen: number | undefined;
  readonly onChoose: (userId: number) => void;
  readonly error: string | undefined;
}

function PersonField({ text, candidates, chosen, onChoose, error }: PersonFieldProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const shown = text ?? 'Choose a person';
  return (
    <Field id={id} label="Person" required error={error}>
      <Button
        ref={button}
        id={id}
        variant="secondary"
        aria-label={`Person: ${shown}`}
        className="w-full justify-between"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        icon={<ChevronsUpDown className="text-text-3" size={13} strokeWidth={1.75} aria-hidden="true" />}
        iconSide="right"
        onClick={() => setOpen(!isOpen)}
      >
        <span className="min-w-0 truncate">{shown}</span>
      </Button>
      {isOpen && (
        <PickerMenu
          anchor={button}
          label="People"
          placeholder="Search people"
          emptyText={emptyTextOf(
            candidates,
            candidates.data?.length === 0 ? 'Everybody is in this team' : 'No person found',
            'Failed to load the people',
          )}
          entries={(candidates.data ?? []).map(({ userId, name, email }) => ({
            id: String(userId),
            text: `${name} ${email}`,
            content: (
              <span className="flex min-w-0 flex-col leading-4">
                <span className="truncate">{name}</span>
                <span className="truncate text-xs text-text-3">{email}</span>
              </span>
            ),
          }))}
          selected={chosen === undefined ? undefined : String(chosen)}
          onSelect={(value) => onChoose(Number(value))}
          onClose={() => setOpen(false)}
        />
      )}
    </Field>
  );
}
