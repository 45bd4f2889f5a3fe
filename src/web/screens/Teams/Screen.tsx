import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ScreenProps } from '../../../registry/command.ts';
import { sentenceOf } from '../../../registry/execute.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { isAdmin } from '../../data/session.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { Button, ButtonLink } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Icon } from '../../kit/icons.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { State } from '../../kit/State.tsx';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { countOf } from '../team-role.ts';
import { TeamDialog } from './TeamDialog.tsx';
import { TeamTable } from './TeamTable.tsx';
import { TeamView } from './TeamView.tsx';

/** `/settings/teams` and `/settings/teams/:teamId`: the teams of the organisation, and one of them beside. */
export function Screen({ command, params }: ScreenProps) {
  const { services } = useCommands();
  const { queries } = useData();
  const teams = useQuery(queries.teams);
  const user = useQuery(queries.session).data;
  const isOwner = user !== undefined && user !== null && isAdmin(user);
  const [isAdding, setAdding] = useState(false);
  const isLong = useLongWait(teams.isPending);
  useFirstLine(teams.data !== undefined && params.teamId === undefined);
  const listed = teams.data ?? [];
  const chosen = listed.find(({ id }) => String(id) === params.teamId);
  const newTeam = isOwner ? (
    <Button icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />} onClick={() => setAdding(true)}>
      New team
    </Button>
  ) : undefined;
  return (
    <SettingsPage
      command={command}
      title="Teams"
      about={isOwner ? 'Who reaches which cluster, and as what' : 'The teams that you are in'}
      actions={listed.length > 0 && newTeam}
      status={teams.data !== undefined && <span>{countOf(listed.length, 'team')}</span>}
    >
      <ErrorAlert
        title="Could not load the teams."
        message={teams.isError ? sentenceOf(teams.error) : undefined}
        onRetry={() => void teams.refetch()}
        isRetrying={teams.isFetching}
      />
      {teams.isPending && isLong && <SkeletonRows isFramed />}
      {params.teamId === undefined && teams.data !== undefined && listed.length === 0 && (
        <State place="page" icon={<Icon name="teams" size={22} />} title="No team yet" actions={newTeam}>
          {isOwner
            ? 'A team reaches clusters, and its members do what their role in it allows.'
            : 'An Owner of your organisation can put you into a team.'}
        </State>
      )}
      {params.teamId === undefined && listed.length > 0 && <TeamTable teams={listed} />}
      {params.teamId !== undefined && teams.data !== undefined && (
        <div className="flex min-w-0 items-start gap-3">
          {listed.length > 0 && (
            <div className="w-72 flex-none max-xl:hidden">
              <TeamTable teams={listed} chosen={chosen?.id} />
            </div>
          )}
          <div className="flex min-w-0 flex-1 flex-col gap-3">
            <AllTeams />
            {chosen === undefined ? (
              <NoSuchTeam />
            ) : (
              <TeamView key={chosen.id} team={chosen} isOwner={isOwner} />
            )}
          </div>
        </div>
      )}
      {isAdding && (
        <TeamDialog
          onClose={() => setAdding(false)}
          onDone={(team) => services.workspace.open(`/settings/teams/${team.id}`)}
        />
      )}
    </SettingsPage>
  );
}

/** The way back to the list where there is no room for it beside a team. */
function AllTeams() {
  const { registry } = useCommands();
  return (
    <p className="hidden max-xl:block">
      <PlaceLink href={registry.href('teams')}>All teams</PlaceLink>
    </p>
  );
}

function NoSuchTeam() {
  const { registry } = useCommands();
  return (
    <State
      place="page"
      icon={<Icon name="teams" size={22} />}
      title="No such team"
      actions={
        <ButtonLink variant="secondary" href={registry.href('teams')}>
          All teams
        </ButtonLink>
      }
    >
      It was deleted, or you are not in it.
    </State>
  );
}
