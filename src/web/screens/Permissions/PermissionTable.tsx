import { Check, Minus } from 'lucide-react';
import { commandKinds } from '../../../../commands/kinds/later-facts.ts';
import { type Permission, permissions } from '../../../contract/permissions.ts';
import type { Role } from '../../../contract/roles.ts';
import { permissionTraps, type Unlocks, unlocksOf } from '../../../registry/commands/unlocks.ts';
import { useCommands } from '../../core/commands.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { cardLook } from '../../kit/card.ts';
import { Glyph } from '../../kit/marks.tsx';
import { headCell, stackingCell, tableLook, tableRow } from '../../kit/table.ts';
import { roleName } from '../team-role.ts';

interface PermissionTableProps {
  readonly roles: readonly Role[];
  /** For Owners: begins to change a role. */
  readonly onAdjust?: (role: Role['role']) => void;
}

/** In a narrow window: the permission and what it unlocks; below, the roles beside each other. */
const rowLook = [
  tableRow,
  'narrow:grid narrow:grid-cols-3 narrow:gap-x-2 narrow:gap-y-1 narrow:px-3 narrow:py-2',
  'narrow:border-b narrow:border-hairline narrow:last:border-b-0',
].join(' ');

/** The permissions with what each unlocks, and which role holds it. */
export function PermissionTable({ roles, onAdjust }: PermissionTableProps) {
  const { registry } = useCommands();
  return (
    <div className={`overflow-hidden ${cardLook}`}>
      <table className={tableLook} aria-label="Permissions">
        <thead className="narrow:block">
          <tr className="narrow:grid narrow:grid-cols-3">
            <th scope="col" className={headCell({ className: 'narrow:sr-only' })}>
              Permission
            </th>
            {roles.map((role) => (
              <th
                key={role.role}
                scope="col"
                className={headCell({ className: 'py-1 md:w-32 narrow:h-auto' })}
              >
                <RoleHead role={role} onAdjust={onAdjust} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissions.map((permission) => (
            <tr key={permission} className={rowLook}>
              <th
                scope="row"
                className={`${stackingCell} text-left font-normal md:py-1.5 narrow:col-span-full`}
              >
                <Meaning
                  permission={permission}
                  unlocks={unlocksOf(permission, commandKinds, registry.commands)}
                />
              </th>
              {roles.map((role) => (
                <td key={role.role} className={`${stackingCell} md:py-1.5`}>
                  <Holding role={role} permission={permission} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RoleHeadProps {
  readonly role: Role;
  readonly onAdjust: ((role: Role['role']) => void) | undefined;
}

function RoleHead({ role, onAdjust }: RoleHeadProps) {
  const name = roleName(role.role);
  const isAdjusted = role.permissions.join() !== role.defaults.join();
  return (
    <span className="flex flex-col items-start gap-1">
      <span className="flex flex-wrap items-center gap-1">
        {name} {isAdjusted && <Badge tone="info">adjusted</Badge>}
      </span>
      {onAdjust !== undefined && (
        <Button
          size="sm"
          variant="secondary"
          aria-label={`Adjust ${name}`}
          onClick={() => onAdjust(role.role)}
        >
          Adjust…
        </Button>
      )}
    </span>
  );
}

/** Whether a role holds a permission, and whether an Owner decided so. */
function Holding({ role, permission }: { readonly role: Role; readonly permission: Permission }) {
  const isHeld = role.permissions.includes(permission);
  const isAdjusted = role.defaults.includes(permission) !== isHeld;
  return (
    <span className="flex items-center gap-1">
      {isHeld ? (
        <Check size={14} strokeWidth={1.75} aria-label="yes" />
      ) : (
        <Minus className="text-text-3" size={14} strokeWidth={1.75} aria-label="no" />
      )}
      <span className="text-xs text-text-3 md:hidden">{roleName(role.role)}</span>
      {isAdjusted && <Badge tone="info">{isHeld ? 'added' : 'taken'}</Badge>}
    </span>
  );
}

function Meaning({ permission, unlocks }: { readonly permission: Permission; readonly unlocks: Unlocks }) {
  const trap = permissionTraps[permission];
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <b className="mono font-medium">{permission}</b>
      <Line name="Shows" items={unlocks.sees} />
      <Line name="Changes" items={unlocks.changes} />
      <Line name="Does" items={unlocks.acts} />
      {trap !== undefined && (
        <span className="flex items-start gap-1.5 text-xs text-text-2" data-tone="warn">
          <Glyph tone="warn" size={12} />
          <span>{trap}</span>
        </span>
      )}
    </span>
  );
}

function Line({ name, items }: { readonly name: string; readonly items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <span className="text-xs wrap-anywhere text-text-2">
      <span className="text-text-3">{name}</span> {items.join(', ')}
    </span>
  );
}
