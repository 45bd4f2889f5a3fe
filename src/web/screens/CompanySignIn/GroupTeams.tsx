import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type TeamRole, teamRoles } from '../../../contract/permissions.ts';
import type { CompanyProvider } from '../../../contract/providers.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { Select } from '../../kit/Select.tsx';
import { useForm } from '../../kit/use-form.ts';
import { useChange } from '../use-change.ts';
import { roleName, roleOf } from '../team-role.ts';
import { useRoleOptions } from '../use-role-options.ts';

type GroupTeam = CompanyProvider['groupTeams'][number];

interface GroupTeamsProps {
  /** Names the provider. */
  readonly of: string;
  readonly groupTeams: readonly GroupTeam[];
  /** Stores the mapping and reads it anew. */
  readonly save: (groupTeams: GroupTeam[]) => Promise<void>;
}

/** Which groups of a provider put people into which teams. */
export function GroupTeams({ of, groupTeams, save }: GroupTeamsProps) {
  const { queries } = useData();
  const teams = useQuery(queries.teams).data ?? [];
  const [group, setGroup] = useState('');
  const [teamId, setTeamId] = useState('');
  const [role, setRole] = useState<TeamRole>(teamRoles.Viewer);
  const options = useRoleOptions();
  const form = useForm(async () => {
    await save([...groupTeams, { group: group.trim(), teamId: Number(teamId), role }]);
    setGroup('');
  });
  const change = useChange();
  const nameOf = (id: number) => teams.find((team) => team.id === id)?.name ?? String(id);
  return (
    <form
      className={`${formLook} border-t border-hairline pt-3`}
      onSubmit={form.submit}
      aria-label={`Groups of ${of}`}
    >
      <ErrorAlert error={form.failure} />
      <p className="text-text-2">
        A group gives membership for 12 hours from each sign-in by {of}, to API tokens as well. Removing it
        here takes effect at once.
      </p>
      <ul className="flex flex-col" aria-label={`Groups of ${of} that give team membership`}>
        {groupTeams.map((one) => (
          <li key={`${one.group} ${one.teamId}`} className="flex min-w-0 items-center gap-2 py-1">
            <span className="min-w-0 flex-1 wrap-anywhere">
              <span className="mono">{one.group}</span> gives {roleName(one.role)} in {nameOf(one.teamId)}
            </span>
            <Button
              size="sm"
              variant="secondary"
              aria-label={`Remove ${one.group} from ${nameOf(one.teamId)}`}
              isLoading={change.busy === `${one.group} ${one.teamId}`}
              onClick={() =>
                void change.make(`${one.group} ${one.teamId}`, () =>
                  save(groupTeams.filter((other) => other !== one)),
                )
              }
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <TextField
        label="Group"
        required
        maxLength={256}
        autoComplete="off"
        value={group}
        onChange={({ target }) => setGroup(target.value)}
      />
      <Select
        label="Team"
        options={teams.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={teamId}
        onChange={setTeamId}
      />
      <Select
        label="Role"
        options={options}
        value={String(role)}
        onChange={(value) => setRole(roleOf(value))}
      />
      <div>
        <Button
          type="submit"
          variant="secondary"
          isLoading={form.isBusy}
          loadingText="Saving..."
          reason={group.trim() === '' || teamId === '' ? 'Enter a group and choose a team.' : undefined}
        >
          Add group
        </Button>
      </div>
    </form>
  );
}
