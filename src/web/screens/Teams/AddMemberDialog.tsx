import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type TeamRole, teamRoles } from '../../../contract/permissions.ts';
import type { Team } from '../../../contract/teams.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { emptyTextOf } from '../../kit/empty-text.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { PickMany } from '../../kit/PickMany.tsx';
import { Select } from '../../kit/Select.tsx';
import { useForm } from '../../kit/use-form.ts';
import { eachOf } from '../each-of.ts';
import { roleName, roleOf } from '../team-role.ts';
import { useRoleOptions } from '../use-role-options.ts';
import { useReread } from '../use-change.ts';

interface AddMemberDialogProps {
  readonly team: Team;
  readonly onPut: (userId: number, role: TeamRole) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for the people who join a team, and for the role that they get. */
export function AddMemberDialog({ team, onPut, onClose }: AddMemberDialogProps) {
  const { services } = useCommands();
  const { queries } = useData();
  const candidates = useQuery(queries.teamCandidates(team.id));
  const reread = useReread();
  const options = useRoleOptions();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [role, setRole] = useState<TeamRole>(teamRoles.Viewer);
  const people = (candidates.data ?? []).filter(({ userId }) => ids.has(String(userId)));
  const form = useForm(async () => {
    const { done, failed, failure } = await eachOf(people, 'person', ({ userId }) => onPut(userId, role));
    await reread();
    setIds(new Set(failed.map(({ userId }) => String(userId))));
    const [first] = done;
    if (first !== undefined)
      services.toast.success(
        done.length === 1
          ? `${first.name} is ${roleName(role)} of ${team.name}`
          : `${done.length} people are ${roleName(role)} of ${team.name}`,
      );
    if (failure !== undefined) throw failure;
    onClose();
  });
  return (
    <FormDialog
      title={`Add members to ${team.name}`}
      form={form}
      isChanged={people.length > 0}
      act={people.length > 1 ? `Add ${people.length} people` : 'Add to team'}
      acting="Adding..."
      reason={people.length === 0 ? 'Choose a person first.' : undefined}
      onClose={onClose}
    >
      <ErrorAlert
        title="Could not load the people of the organisation."
        error={candidates.error}
        onRetry={() => void candidates.refetch()}
        isRetrying={candidates.isFetching}
      />
      <PickMany
        label="People"
        placeholder="Search people"
        emptyText={emptyTextOf(
          candidates,
          candidates.data?.length === 0 ? 'Everybody is in this team.' : 'No person found.',
          'Failed to load the people.',
        )}
        entries={(candidates.data ?? []).map(({ userId, name, email }) => ({
          id: String(userId),
          text: `${name} ${email}`,
          content: (
            <span className="flex min-w-0 flex-col leading-4">
              <span>{name}</span>
              <span className="text-xs text-text-3">{email}</span>
            </span>
          ),
        }))}
        chosen={ids}
        onChoose={setIds}
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
