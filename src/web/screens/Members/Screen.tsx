import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Member } from '../../../contract/members.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { ActsMenu } from '../../features/organisation/ActsMenu.tsx';
import { PlanNote } from '../../features/subscription/PlanNote.tsx';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { cardLook } from '../../kit/card.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { type MenuPlace, placeAt, placeBelow } from '../../kit/menu-place.ts';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { foldingRow, stackingCell, tableLook } from '../../kit/table.ts';
import { TableHead } from '../../kit/TableHead.tsx';
import { useTool } from '../../workspace/use-tool.ts';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { orgRoleName, signInText } from '../org-role.ts';
import { Invitations } from './Invitations.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { LastSeen } from './LastSeen.tsx';

/** `/settings/organization/members`: the people of the organisation, for its Owners. */
export function Screen({ command }: ScreenProps) {
  const { queries } = useData();
  const members = useQuery(queries.members);
  const isLong = useLongWait(members.isPending);
  const [inviting, setInviting] = useState<string | undefined>(undefined);
  useFirstLine(members.data !== undefined);
  useTool('page', { invite: () => setInviting('') });
  return (
    <SettingsPage
      command={command}
      actions={
        <Button
          icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => setInviting('')}
        >
          Invite…
        </Button>
      }
      hints={[
        { id: 'members.invite', text: 'invite somebody' },
        { id: 'members.role', text: 'role' },
        { id: 'members.suspend', text: 'suspend' },
      ]}
      about="The people of the organisation and their roles"
      status={
        members.data !== undefined && (
          <span>{members.data.length === 1 ? '1 person' : `${members.data.length} people`}</span>
        )
      }
    >
      <ErrorAlert
        title="Could not load the members."
        error={members.error}
        onRetry={() => void members.refetch()}
        isRetrying={members.isFetching}
      />
      <PlanNote of="seats" isOnlyReached />
      {members.isPending && isLong && <SkeletonRows isFramed />}
      {members.data !== undefined && <People members={members.data} />}
      <Invitations onInvite={(email) => setInviting(email)} />
      {inviting !== undefined && <InviteDialog email={inviting} onClose={() => setInviting(undefined)} />}
    </SettingsPage>
  );
}

/** In a narrow window: the name and the role; below, the teams and when the person was there. */
const rowLook = `${foldingRow} narrow:last:border-b-0`;
const cell = `${stackingCell} md:py-1.5`;

function People({ members }: { readonly members: readonly Member[] }) {
  const { registry } = useCommands();
  const [menu, setMenu] = useState<{ readonly member: Member; readonly place: MenuPlace }>();
  return (
    <div className={`overflow-hidden ${cardLook}`}>
      <table className={tableLook} aria-label="Members">
        <TableHead
          columns={[
            { title: 'Name' },
            { title: 'Role' },
            { title: 'Teams' },
            { title: 'Last seen' },
            { title: 'Sign-in', className: 'max-lg:hidden' },
          ]}
          hasActions
        />
        <tbody>
          {members.map((member) => (
            <tr
              key={member.userId}
              className={rowLook}
              onContextMenu={(event) => {
                event.preventDefault();
                setMenu({ member, place: placeAt(event) });
              }}
            >
              <td className={cell}>
                <PlaceLink
                  className="font-medium wrap-anywhere text-text underline-offset-2 hover:underline"
                  href={registry.href('members.one', { userId: String(member.userId) })}
                >
                  {member.name}
                </PlaceLink>{' '}
                {member.isSuspended && <Badge tone="warn">Suspended</Badge>}
                <span className="block text-xs wrap-anywhere text-text-3">{member.email}</span>
              </td>
              <td className={cell}>{orgRoleName(member.orgRole)}</td>
              <td className={`${cell} wrap-anywhere narrow:text-xs`}>
                {member.teams.length === 0 ? (
                  <span className="text-text-3">no team</span>
                ) : (
                  member.teams.map(({ name }) => name).join(', ')
                )}
              </td>
              <td className={`${cell} whitespace-nowrap text-text-2 narrow:text-xs`}>
                <LastSeen at={member.lastSeenAt} />
              </td>
              <td className={`${cell} text-text-2 max-lg:hidden`}>{signInText(member.signInWays)}</td>
              <td
                className={`${cell} text-right md:w-[1%] narrow:col-start-2 narrow:row-span-2 narrow:row-start-2`}
              >
                <Button
                  size="sm"
                  variant="transparent"
                  isIcon
                  aria-label={`Actions on ${member.name}`}
                  aria-haspopup="menu"
                  onClick={({ currentTarget }) => setMenu({ member, place: placeBelow(currentTarget) })}
                >
                  <Ellipsis size={14} strokeWidth={1.75} aria-hidden="true" />
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {menu !== undefined && (
        <ActsMenu
          of="person"
          args={{ person: menu.member.userId, isSuspended: menu.member.isSuspended }}
          label={`Actions on ${menu.member.name}`}
          place={menu.place}
          onClose={() => setMenu(undefined)}
        />
      )}
    </div>
  );
}
