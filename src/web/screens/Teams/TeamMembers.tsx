import { useQuery } from '@tanstack/react-query';
import { Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { type TeamRole, teamRoles } from '../../../contract/permissions.ts';
import type { Team, TeamMember } from '../../../contract/teams.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Input, InputBox } from '../../kit/input.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { useChange } from '../use-change.ts';
import { AddMemberDialog } from './AddMemberDialog.tsx';
import { MemberTable } from './MemberTable.tsx';

/** From this number of members on they can be searched. */
const searchedFrom = 6;

interface TeamMembersProps {
  readonly team: Team;
  readonly canManage: boolean;
  /** Whether somebody is being added. */
  readonly isAdding: boolean;
  readonly onAdding: (isAdding: boolean) => void;
}

/** The members of a team with their roles. */
export function TeamMembers({ team, canManage, isAdding, onAdding }: TeamMembersProps) {
  const { services } = useCommands();
  const { api, queries } = useData();
  const members = useQuery(queries.teamMembers(team.id));
  const change = useChange();
  const isLong = useLongWait(members.isPending);
  const [query, setQuery] = useState('');
  const listed = members.data ?? [];
  const wanted = query.trim().toLowerCase();
  const shown = listed.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted));
  const hasTeamAdmin = listed.some(({ role, pending }) => !pending && role === teamRoles.TeamAdmin);
  const put = (userId: number, role: TeamRole) =>
    api.setTeamMember({ params: { teamId: team.id }, body: { UserId: String(userId), Role: role } });
  const remove = async (member: TeamMember) => {
    const { userId, name, role } = member;
    const made = await change.make(`remove ${userId}`, () =>
      api.removeTeamMember({ params: { teamId: team.id, userId } }),
    );
    if (!made) return;
    services.toast.success(`${name} is no longer in ${team.name}`, {
      actions: [
        { label: 'Add again', run: () => void change.make(`add ${userId}`, () => put(userId, role)) },
      ],
    });
  };
  return (
    <section aria-labelledby="team-members">
      <div className="flex min-h-control-md min-w-0 flex-wrap items-center gap-2 px-3 py-2.5">
        <h3 id="team-members" className="text-xs font-semibold">
          Members
        </h3>
        <span className="min-w-0 flex-1" />
        {listed.length >= searchedFrom && (
          <InputBox className="w-48 narrow:w-36">
            <Search className="text-text-3" size={13} strokeWidth={1.75} aria-hidden="true" />
            <Input
              type="search"
              aria-label="Search members"
              placeholder="Search members"
              value={query}
              onChange={({ target }) => setQuery(target.value)}
            />
          </InputBox>
        )}
        {canManage && (
          <Button
            icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => onAdding(true)}
          >
            Add members…
          </Button>
        )}
      </div>
      <div className="px-3 empty:hidden">
        <ErrorAlert
          title="Could not load the members of this team."
          error={members.error}
          onRetry={() => void members.refetch()}
          isRetrying={members.isFetching}
        />
      </div>
      {members.isPending && isLong && <SkeletonRows />}
      {members.data !== undefined && shown.length === 0 && (
        <p className="px-3 pb-3 text-text-2">
          {listed.length === 0 ? 'Nobody is in this team yet.' : `No member matches “${query}”.`}
        </p>
      )}
      {shown.length > 0 && (
        <MemberTable
          members={shown}
          canManage={canManage}
          onRole={(member, role) => void change.make(`role ${member.userId}`, () => put(member.userId, role))}
          onRemove={(member) => void remove(member)}
        />
      )}
      {hasTeamAdmin && team.clusterCount > 0 && (
        <div className="p-3">
          <Note tone="warn">
            <Glyph tone="warn" size={13} />
            <p>A TeamAdmin can start pods on these clusters, and so read the secrets mounted in them.</p>
          </Note>
        </div>
      )}
      {isAdding && <AddMemberDialog team={team} onPut={put} onClose={() => onAdding(false)} />}
    </section>
  );
}
