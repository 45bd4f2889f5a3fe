import { useQuery } from '@tanstack/react-query';
import type { MemberDetail } from '../../../contract/members.ts';
import { orgRoles } from '../../../contract/permissions.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { Badge } from '../../kit/Badge.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Fact, FactList } from '../../kit/FactList.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { orgRoleName, signInText } from '../org-role.ts';
import { ReachedClusters } from '../ReachedClusters.tsx';
import { roleName } from '../team-role.ts';
import { LastSeen } from './LastSeen.tsx';
import { MemberActions } from './MemberActions.tsx';
import { MemberTokens } from './MemberTokens.tsx';

/** `/settings/organization/members/:userId`: one person, what they reach, and what an Owner does to the membership. */
export function Screen({ command, params }: ScreenProps) {
  const { registry } = useCommands();
  const { queries } = useData();
  const userId = Number(params.userId);
  const isGone = useQuery(queries.members).data?.some((one) => one.userId === userId) === false;
  // Whom the list no longer names is not asked for again, while they are removed here or by another Owner.
  const member = useQuery({ ...queries.member(userId), retry: false, enabled: !isGone });
  const isLong = useLongWait(member.isPending);
  const { data } = member;
  return (
    <SettingsPage command={command} title={data?.name ?? 'Member'} about={data?.email}>
      <p>
        <PlaceLink href={registry.href('members')}>All members</PlaceLink>
      </p>
      <ErrorAlert
        title="Could not load this member."
        error={
          isGone
            ? 'No such person in your organisation: they left, were removed, or the address is wrong.'
            : member.error
        }
        onRetry={isGone ? undefined : () => void member.refetch()}
        isRetrying={member.isFetching}
      />
      {member.isPending && !isGone && isLong && <SkeletonRows isFramed />}
      {data !== undefined && !isGone && !member.isError && (
        <SetList>
          <SetCard title="Membership">
            <Facts member={data} />
            <MemberActions member={data} />
          </SetCard>
          <Reach member={data} />
          <MemberTokens userId={userId} />
        </SetList>
      )}
    </SettingsPage>
  );
}

function Facts({ member }: { readonly member: MemberDetail }) {
  const { registry } = useCommands();
  return (
    <FactList>
      <Fact name="Role">
        {orgRoleName(member.orgRole)} {member.isSuspended && <Badge tone="warn">Suspended</Badge>}
      </Fact>
      <Fact name="Teams">
        {member.teams.length === 0
          ? 'None'
          : member.teams.map(({ id, name, role }, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <PlaceLink href={registry.href('teams.one', { teamId: String(id) })}>{name}</PlaceLink> as{' '}
                {roleName(role)}
              </span>
            ))}
      </Fact>
      <Fact name="Joined">{new Date(member.joinedAt).toLocaleDateString()}</Fact>
      <Fact name="Last seen">
        <LastSeen at={member.lastSeenAt} />
      </Fact>
      <Fact name="Sign-in">{signInText(member.signInWays)}</Fact>
      <Fact name="Open sessions">{member.sessions}</Fact>
    </FactList>
  );
}

/** Which clusters a person reaches. */
function Reach({ member: { clusters, isSuspended, orgRole } }: { readonly member: MemberDetail }) {
  return (
    <SetCard title="Clusters">
      {isSuspended && (
        <p className="text-text-2">
          Suspended: the person has no access to any of this until they are let in again.
        </p>
      )}
      {clusters.length === 0 && (
        <p className="text-text-2">
          {orgRole === orgRoles.Owner
            ? 'The organisation has no cluster yet.'
            : 'No team of this person has access to a cluster.'}
        </p>
      )}
      <ReachedClusters clusters={clusters} />
    </SetCard>
  );
}
