import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { type TeamRole, teamRoles } from '../../../contract/permissions.ts';
import { useData } from '../../data/port.ts';
import { Button, IconButton } from '../../kit/Button.tsx';
import { emptyTextOf } from '../../kit/empty-text.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { FieldGroup } from '../../kit/FieldGroup.tsx';
import { PickerMenu } from '../../kit/PickerMenu.tsx';
import { Select } from '../../kit/Select.tsx';
import { roleOf } from '../team-role.ts';
import { useRoleOptions } from '../use-role-options.ts';

interface OfferedTeamsProps {
  /** Roles by id of the team. */
  readonly places: ReadonlyMap<number, TeamRole>;
  readonly onChange: (places: ReadonlyMap<number, TeamRole>) => void;
}

/** The teams that somebody is invited into, each with a role; further ones are found by their name. */
export function OfferedTeams({ places, onChange }: OfferedTeamsProps) {
  const { queries } = useData();
  const teams = useQuery(queries.teams);
  const options = useRoleOptions();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const listed = teams.data ?? [];
  const free = listed.filter(({ id }) => !places.has(id));
  const put = (teamId: number, role: TeamRole) => onChange(new Map([...places, [teamId, role]]));
  const take = (teamId: number) => onChange(new Map([...places].filter(([id]) => id !== teamId)));
  return (
    <FieldGroup label="Teams">
      <ErrorAlert
        title="Could not load the teams."
        error={teams.error}
        onRetry={() => void teams.refetch()}
        isRetrying={teams.isFetching}
      />
      {[...places].map(([teamId, role]) => {
        const name = listed.find(({ id }) => id === teamId)?.name ?? String(teamId);
        return (
          <div key={teamId} className="flex min-w-0 items-center gap-2">
            <span className="min-w-0 flex-1 font-medium wrap-anywhere">{name}</span>
            <div className="w-64 min-w-0 narrow:w-40">
              <Select
                label={`Role in ${name}`}
                hidesLabel
                options={options}
                value={String(role)}
                onChange={(value) => put(teamId, roleOf(value))}
              />
            </div>
            <IconButton size="sm" label={`Leave out ${name}`} onClick={() => take(teamId)}>
              <X size={14} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          </div>
        );
      })}
      <div>
        <Button
          ref={button}
          size="sm"
          variant="secondary"
          icon={<Plus size={13} strokeWidth={1.75} aria-hidden="true" />}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Add a team
        </Button>
      </div>
      {isOpen && (
        <PickerMenu
          anchor={button}
          label="Teams"
          placeholder="Search teams"
          emptyText={emptyTextOf(
            teams,
            free.length === 0 ? 'There is no further team' : 'No team found',
            'Failed to load the teams',
          )}
          entries={free.map(({ id, name }) => ({ id: String(id), text: name, content: name }))}
          selected={undefined}
          onSelect={(id) => put(Number(id), teamRoles.Viewer)}
          onClose={() => setOpen(false)}
        />
      )}
    </FieldGroup>
  );
}
