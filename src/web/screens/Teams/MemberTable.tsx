import { X } from 'lucide-react';
import type { TeamRole } from '../../../contract/permissions.ts';
import type { TeamMember } from '../../../contract/teams.ts';
import { initialsOf } from '../../data/session.ts';
import { Badge } from '../../kit/Badge.tsx';
import { IconButton } from '../../kit/Button.tsx';
import { Select } from '../../kit/Select.tsx';
import { stackingCell, tableLook, tableRow } from '../../kit/table.ts';
import { TableHead } from '../../kit/TableHead.tsx';
import { tipsToLeft } from '../../kit/tip.ts';
import { avatar } from '../../shell/sidebar-look.ts';
import { roleName, roleOf } from '../team-role.ts';
import { useRoleOptions } from '../use-role-options.ts';

interface MemberTableProps {
  readonly members: readonly TeamMember[];
  readonly canManage: boolean;
  readonly onRole: (member: TeamMember, role: TeamRole) => void;
  readonly onRemove: (member: TeamMember) => void;
}

/** In a narrow window: the name and what takes the member out; below, the role. */
const rowLook = [
  tableRow,
  'narrow:grid narrow:grid-cols-[minmax(0,1fr)_auto] narrow:gap-x-2 narrow:gap-y-1 narrow:px-3 narrow:py-2',
  'narrow:border-b narrow:border-hairline narrow:last:border-b-0',
].join(' ');
const cell = `${stackingCell} md:py-1 md:align-middle`;

/**
 * The members of a team as a table; whoever manages them changes roles in it. An invitation is changed among the members
 * of the organisation.
 */
export function MemberTable({ members, canManage, onRole, onRemove }: MemberTableProps) {
  const options = useRoleOptions();
  return (
    <table className={tableLook} aria-label="Members">
      <TableHead
        columns={[{ title: 'Name' }, { title: 'Email', className: 'max-lg:hidden' }, { title: 'Role' }]}
        hasActions={canManage}
        hasLineAbove
      />
      <tbody>
        {members.map((member) => (
          <tr key={`${member.userId} ${member.email}`} className={rowLook}>
            <td className={cell}>
              <Person member={member} />
            </td>
            <td className={`${cell} wrap-anywhere text-text-2 max-lg:hidden`}>
              {member.pending ? '' : member.email}
            </td>
            <td className={`${cell} md:w-72 narrow:col-span-full narrow:row-start-2 narrow:pl-9.5`}>
              {canManage && !member.pending ? (
                <Select
                  label={`Role of ${member.name}`}
                  hidesLabel
                  isSavedAtOnce
                  options={options}
                  value={String(member.role)}
                  onChange={(value) => onRole(member, roleOf(value))}
                />
              ) : (
                roleName(member.role)
              )}
            </td>
            {canManage && (
              <td
                className={`${cell} text-right md:w-[1%] narrow:col-start-2 narrow:row-start-1 ${tipsToLeft}`}
              >
                {!member.pending && (
                  <IconButton size="sm" label={`Remove ${member.name}`} onClick={() => onRemove(member)}>
                    <X size={14} strokeWidth={1.75} aria-hidden="true" />
                  </IconButton>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Person({ member }: { readonly member: TeamMember }) {
  const { email, pending, isSuspended } = member;
  const name = pending ? email : member.name;
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <span className={avatar({ size: 'menu' })} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span className="flex min-w-0 flex-col leading-4">
        <span className="font-medium wrap-anywhere">
          {name} {isSuspended && <Badge tone="warn">Suspended</Badge>}
          {pending && <Badge tone="info">Invited</Badge>}
        </span>
        {!pending && <span className="text-xs wrap-anywhere text-text-3 lg:hidden">{email}</span>}
      </span>
    </span>
  );
}
