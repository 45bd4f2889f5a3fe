import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Team } from '../../../contract/teams.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { counted } from '../../../registry/counted.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { isAdmin } from '../../data/session.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import type { Hint } from '../../keyboard/Hints.tsx';
import { Button, ButtonLink } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Icon } from '../../kit/icons.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { State } from '../../kit/State.tsx';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { useTool } from '../../workspace/use-tool.ts';
import type { TeamQuestion } from './team-question.ts';
import { TeamDialog } from './TeamDialog.tsx';
import { TeamTable } from './TeamTable.tsx';
import { managesMembers, TeamView } from './TeamView.tsx';

/** `/settings/teams` and `/settings/teams/:teamId`: the teams of the organisation, and one of them beside. */
export function Screen({ command, params }: ScreenProps) {
  const { services } = useCommands();
  const { queries } = useData();
  const teams = useQuery(queries.teams);
  const user = useQuery(queries.session).data;
  const isOwner = user !== undefined && user !== null && isAdmin(user);
  const [asked, setAsked] = useState<TeamQuestion | undefined>(undefined);
  const isLong = useLongWait(teams.isPending);
  useFirstLine(teams.data !== undefined && params.teamId === undefined);
  const listed = teams.data ?? [];
  const chosen = listed.find(({ id }) => String(id) === params.teamId);
  const ask = (what: TeamQuestion, may: boolean) => (may ? () => setAsked(what) : undefined);
  useTool('page', {
    newTeam: ask('team', isOwner),
    addMember: ask('member', chosen !== undefined && managesMembers(chosen, isOwner)),
    grantCluster: ask('cluster', chosen !== undefined && isOwner),
  });
  const newTeam = isOwner ? (
    <Button icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />} onClick={() => setAsked('team')}>
      New team
    </Button>
  ) : undefined;
  return (
    <SettingsPage
      command={command}
      title="Teams"
      about={isOwner ? 'Access to clusters by team and role' : 'The teams that you are in'}
      actions={listed.length > 0 && newTeam}
      status={teams.data !== undefined && <span>{counted(listed.length, 'team')}</span>}
      hints={hintsOf(chosen, isOwner)}
    >
      <ErrorAlert
        title="Could not load the teams."
        error={teams.error}
        onRetry={() => void teams.refetch()}
        isRetrying={teams.isFetching}
      />
      {teams.isPending && isLong && <SkeletonRows isFramed />}
      {params.teamId === undefined && teams.data !== undefined && listed.length === 0 && (
        <State place="page" icon={<Icon name="teams" size={22} />} title="No team yet" actions={newTeam}>
          {isOwner
            ? 'A team has access to clusters. Each member’s role decides what they may do there.'
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
              <TeamView key={chosen.id} team={chosen} isOwner={isOwner} asked={asked} onAsk={setAsked} />
            )}
          </div>
        </div>
      )}
      {asked === 'team' && (
        <TeamDialog
          onClose={() => setAsked(undefined)}
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

/** The keys of the page for what the person may do here. */
function hintsOf(chosen: Team | undefined, isOwner: boolean): readonly Hint[] {
  return [
    ...(chosen !== undefined && managesMembers(chosen, isOwner)
      ? [{ id: 'teams.addMember', text: 'add member' }]
      : []),
    ...(isOwner ? [{ id: 'teams.create', text: 'new team' }] : []),
  ];
}
