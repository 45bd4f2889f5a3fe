import type { MemberDetail } from '../../../contract/members.ts';
import { orgRoles, permissions } from '../../../contract/permissions.ts';
import { Flag } from '../../kit/marks.tsx';
import { SetCard } from '../../kit/SetCard.tsx';

/** Which clusters a person reaches, by which team, and what they may do there. */
export function Reach({ member }: { readonly member: MemberDetail }) {
  const isOwner = member.orgRole === orgRoles.Owner;
  return (
    <SetCard title="Clusters">
      {member.isSuspended && (
        <p className="text-text-2">Suspended: nothing of this is reached until the person is let in again.</p>
      )}
      {member.clusters.length === 0 && (
        <p className="text-text-2">
          {isOwner ? 'The organisation has no cluster yet.' : 'No team of this person reaches a cluster.'}
        </p>
      )}
      <ul className="flex flex-col">
        {member.clusters.map((cluster) => (
          <li
            key={cluster.id}
            className="flex flex-col gap-1 border-b border-hairline py-2 first:pt-0 last:border-b-0 last:pb-0"
          >
            <span className="flex min-w-0 flex-wrap items-center gap-x-1.5">
              <Flag colour={cluster.colour} />
              <b className="font-medium wrap-anywhere">{cluster.name}</b>
              <span className="min-w-0 wrap-anywhere text-text-2">
                {cluster.teams.length === 0 ? 'as Owner' : `by ${cluster.teams.join(', ')}`}
              </span>
            </span>
            <span className="mono text-(length:--text-xs) wrap-anywhere text-text-2">
              {cluster.permissions.length === permissions.length
                ? `every permission (${permissions.length})`
                : cluster.permissions.join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </SetCard>
  );
}
