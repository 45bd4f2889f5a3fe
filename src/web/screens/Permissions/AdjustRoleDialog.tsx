import { useState } from 'react';
import { type Permission, permissions, viewOf } from '../../../contract/permissions.ts';
import type { Role } from '../../../contract/roles.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { useForm } from '../../kit/use-form.ts';
import { roleName } from '../team-role.ts';
import { useReread } from '../use-change.ts';

interface AdjustRoleDialogProps {
  readonly role: Role;
  readonly onClose: () => void;
}

/** Why a choice of permissions cannot be a role; undefined for one that can. */
function problemOf(held: readonly Permission[]): string | undefined {
  if (held.length === 0) return 'Choose at least one permission.';
  const blind = held.find((one) => {
    const view = viewOf(one);
    return view !== undefined && !held.includes(view);
  });
  return blind === undefined ? undefined : `${blind} needs ${viewOf(blind) ?? ''} as well.`;
}

/** Asks what a role shall hold in the organisation. */
export function AdjustRoleDialog({ role, onClose }: AdjustRoleDialogProps) {
  const { services } = useCommands();
  const { api } = useData();
  const reread = useReread();
  const [held, setHeld] = useState<readonly Permission[]>(role.permissions);
  const name = roleName(role.role);
  const isSame = (other: readonly Permission[]) =>
    other.length === held.length && other.every((one) => held.includes(one));
  const form = useForm(async () => {
    await api.changeRole({ params: { roleId: role.role }, body: { permissions: [...held] } });
    await reread();
    services.toast.success(`${name} adjusted`, {
      detail: 'Applies to everybody with this role from now on.',
    });
    onClose();
  });
  const toggle = (permission: Permission, isHeld: boolean) =>
    setHeld(permissions.filter((one) => (one === permission ? isHeld : held.includes(one))));
  const problem = problemOf(held);
  return (
    <FormDialog
      title={`Adjust ${name}`}
      width="form"
      form={form}
      isChanged={!isSame(role.permissions)}
      description={
        <p>
          Applies to everybody with this role in a team of your organisation. Removed permissions end at once,
          in open lists and shells too.
        </p>
      }
      act="Save"
      acting="Saving..."
      reason={problem ?? (isSame(role.permissions) ? 'Nothing is changed yet.' : undefined)}
      aside={
        <Button
          variant="transparent"
          reason={isSame(role.defaults) ? 'This is the default.' : undefined}
          onClick={() => setHeld(role.defaults)}
        >
          Reset to default
        </Button>
      }
      onClose={onClose}
    >
      <fieldset className="grid min-w-0 grid-cols-2 gap-x-4 narrow:grid-cols-1">
        <legend className="sr-only">Permissions of {name}</legend>
        {permissions.map((permission) => (
          <span key={permission} className="flex min-w-0 items-center gap-1.5">
            <CheckLine
              className="narrow:min-h-9"
              checked={held.includes(permission)}
              onChange={({ target }) => toggle(permission, target.checked)}
            >
              <span className="mono">{permission}</span>
            </CheckLine>
            {role.defaults.includes(permission) !== held.includes(permission) && (
              <Badge tone="info">{held.includes(permission) ? 'added' : 'taken'}</Badge>
            )}
          </span>
        ))}
      </fieldset>
      <p className="min-h-5 text-bad-fg" role="status">
        {problem ?? ''}
      </p>
    </FormDialog>
  );
}
