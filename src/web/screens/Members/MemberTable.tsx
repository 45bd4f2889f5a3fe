import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Member } from '../../../contract/members.ts';
import { useCommands } from '../../core/commands.ts';
import { ActsMenu } from '../../features/organisation/ActsMenu.tsx';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { cardLook } from '../../kit/card.ts';
import { PlaceLink } from '../../kit/Link.tsx';
import { type MenuPlace, placeAt, placeBelow } from '../../kit/menu-place.ts';
import { foldingRow, stackingCell, tableLook } from '../../kit/table.ts';
import { TableHead } from '../../kit/TableHead.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { orgRoleName, signInText } from '../org-role.ts';
import { LastSeen } from './LastSeen.tsx';
import { type SortName, sortOf, sortText } from './shown-members.ts';
import { useWindow } from '../../kit/use-window.ts';

/** In a narrow window: the name and the role; below, the teams and when the person was there. */
const rowLook = `${foldingRow} narrow:last:border-b-0`;
const cell = `${stackingCell} md:py-1.5`;

interface MemberTableProps {
  /** Those that fit the filter, in order. */
  readonly members: readonly Member[];
  readonly selected: ReadonlySet<number>;
  readonly onToggle: (member: Member) => void;
}

/** The members, of which those in sight are drawn. */
export function MemberTable({ members, selected, onToggle }: MemberTableProps) {
  const [search, setSearch] = useViewSearch();
  const [menu, setMenu] = useState<{ readonly member: Member; readonly place: MenuPlace }>();
  const [focused, setFocused] = useState<number>();
  const body = useRef<HTMLTableSectionElement>(null);
  const kept = members.findIndex(({ userId }) => userId === focused);
  const { items, above, below, measure } = useWindow({
    body,
    count: members.length,
    rowHeight: 46,
    kept,
  });
  const sort = sortOf(search);
  const sorting = (by: SortName) => ({
    ...(sort.by === by && { sorted: sort.isDescending ? ('descending' as const) : ('ascending' as const) }),
    onSort: () => setSearch({ sort: sortText({ by, isDescending: sort.by === by && !sort.isDescending }) }),
  });
  return (
    <div className={`overflow-hidden ${cardLook}`}>
      <table className={tableLook} aria-label="Members" aria-rowcount={members.length + 1}>
        <TableHead
          columns={[
            { title: 'Name', ...sorting('name') },
            { title: 'Role', ...sorting('role') },
            { title: 'Teams', ...sorting('teams') },
            { title: 'Last seen', ...sorting('seen') },
            { title: 'Sign-in', className: 'max-lg:hidden' },
          ]}
          hasActions
        />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notes which row has the focus */}
        <tbody
          ref={body}
          onFocus={({ target }) => setFocused(Number(target.closest('tr')?.dataset['person']))}
          onBlur={() => setFocused(undefined)}
        >
          {above > 0 && <Gap height={above} />}
          {items.map((index) => {
            const member = members[index];
            if (member === undefined) return null;
            return (
              <Row
                key={member.userId}
                member={member}
                index={index}
                measure={measure}
                isSelected={selected.has(member.userId)}
                onToggle={() => onToggle(member)}
                onMenu={(place) => setMenu({ member, place })}
              />
            );
          })}
          {below > 0 && <Gap height={below} />}
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

/** The room of rows that are not drawn. @param height px */
function Gap({ height }: { readonly height: number }) {
  return <tr aria-hidden="true" style={{ height }} />;
}

interface RowProps {
  readonly member: Member;
  readonly index: number;
  readonly measure: (row: HTMLElement | null) => void;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
  readonly onMenu: (place: MenuPlace) => void;
}

function Row({ member, index, measure, isSelected, onToggle, onMenu }: RowProps) {
  const { registry } = useCommands();
  return (
    <tr
      ref={measure}
      className={`${rowLook} ${isSelected ? 'bg-row-selected' : ''}`}
      data-index={index}
      data-person={member.userId}
      aria-rowindex={index + 2}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(placeAt(event));
      }}
    >
      <td className={cell}>
        <span className="flex min-w-0 gap-2">
          <input
            type="checkbox"
            className="mt-0.5 flex-none"
            tabIndex={-1}
            aria-label={`Select ${member.name}`}
            checked={isSelected}
            onChange={onToggle}
          />
          <span className="min-w-0">
            <PlaceLink
              className="font-medium wrap-anywhere text-text underline-offset-2 hover:underline"
              href={registry.href('members.one', { userId: String(member.userId) })}
            >
              {member.name}
            </PlaceLink>{' '}
            {member.isSuspended && <Badge tone="warn">Suspended</Badge>}
            <span className="block text-xs wrap-anywhere text-text-3">{member.email}</span>
          </span>
        </span>
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
      <td className={`${cell} text-right md:w-[1%] narrow:col-start-2 narrow:row-span-2 narrow:row-start-2`}>
        <Button
          size="sm"
          variant="transparent"
          isIcon
          aria-label={`Actions on ${member.name}`}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => onMenu(placeBelow(currentTarget))}
        >
          <Ellipsis size={14} strokeWidth={1.75} aria-hidden="true" />
        </Button>
      </td>
    </tr>
  );
}
