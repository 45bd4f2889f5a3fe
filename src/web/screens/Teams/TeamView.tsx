import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { teamRoles } from '../../../contract/permissions.ts';
import type { Team } from '../../../contract/teams.ts';
import { counted } from '../../../registry/counted.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { cardLook } from '../../kit/card.ts';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { roleName } from '../team-role.ts';
import { useReread } from '../use-change.ts';
import type { TeamQuestion } from './team-question.ts';
import { TeamClusters } from './TeamClusters.tsx';
import { TeamDialog } from './TeamDialog.tsx';
import { TeamMembers } from './TeamMembers.tsx';

interface TeamViewProps {
  readonly team: Team;
  readonly isOwner: boolean;
  /** What is being asked about the team, by a button or a key. */
  readonly asked: TeamQuestion | undefined;
  readonly onAsk: (asked: TeamQuestion | undefined) => void;
}

/** Whether the person manages the members of a team. */
export const managesMembers = ({ ownRole }: Team, isOwner: boolean): boolean =>
  isOwner || ownRole === teamRoles.TeamAdmin;

/** One team: Owners change everything of it, its TeamAdmins the members, others see it. */
export function TeamView({ team, isOwner, asked, onAsk }: TeamViewProps) {
  const [isRenaming, setRenaming] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const canManage = managesMembers(team, isOwner);
  const asking = (what: TeamQuestion) => (isAsked: boolean) => onAsk(isAsked ? what : undefined);
  return (
    <section className={cardLook} aria-labelledby="team-name">
      <header className="flex min-w-0 flex-col gap-2 border-b border-hairline px-3 py-2.5">
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <h2 id="team-name" className="min-w-0 text-lg font-semibold wrap-anywhere">
            {team.name}
          </h2>
          <Badge>{counted(team.memberCount, 'member')}</Badge>
          {team.ownRole !== null && <Badge>You are {roleName(team.ownRole)}</Badge>}
          <span className="min-w-0 flex-1" />
          {isOwner && (
            <span className="flex flex-none items-center gap-2">
              <Button
                variant="secondary"
                icon={<Pencil size={13} strokeWidth={1.75} aria-hidden="true" />}
                onClick={() => setRenaming(true)}
              >
                Rename
              </Button>
              <Button
                variant="danger"
                icon={<Trash2 size={13} strokeWidth={1.75} aria-hidden="true" />}
                onClick={() => setDeleting(true)}
              >
                Delete team…
              </Button>
            </span>
          )}
        </div>
        {team.description !== '' && <p className="wrap-anywhere text-text-2">{team.description}</p>}
      </header>
      <TeamClusters
        team={team}
        isOwner={isOwner}
        isGranting={asked === 'cluster'}
        onGranting={asking('cluster')}
      />
      <TeamMembers
        team={team}
        canManage={canManage}
        isAdding={asked === 'member'}
        onAdding={asking('member')}
      />
      {isRenaming && <TeamDialog team={team} onClose={() => setRenaming(false)} />}
      {isDeleting && <DeleteTeam team={team} onClose={() => setDeleting(false)} />}
    </section>
  );
}

function DeleteTeam({ team, onClose }: { readonly team: Team; readonly onClose: () => void }) {
  const { registry, services } = useCommands();
  const { api } = useData();
  const reread = useReread();
  return (
    <ConfirmDialog
      title={`Delete the team ${team.name}?`}
      act="Delete team"
      acting="Deleting..."
      onClose={onClose}
      onConfirm={async () => {
        await api.deleteTeam({ params: { teamId: team.id } });
        onClose();
        services.workspace.open(registry.href('teams'));
        services.toast.success('Team deleted', { detail: team.name });
        await reread();
      }}
    >
      <p>
        Its {counted(team.memberCount, 'member')} no longer reach its {counted(team.clusterCount, 'cluster')},
        unless another team lets them. Lists, logs and shells that they have open there end at once.
      </p>
      <p>The people stay in the organisation, and the clusters are not touched.</p>
    </ConfirmDialog>
  );
}
