import { useState } from 'react';
import type { MemberDetail } from '../../../contract/members.ts';
import { type OrgRole, orgRoles } from '../../../contract/permissions.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { Select } from '../../kit/Select.tsx';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { orgRoleName, orgRoleOptions } from '../org-role.ts';
import { useChange, useReread } from '../use-change.ts';
import { ResetLink } from './ResetLink.tsx';

/** What an Owner does to a membership. The account is the person's own and is never touched. */
export function MemberActions({ member }: { readonly member: MemberDetail }) {
  const { services } = useCommands();
  const { api } = useData();
  const change = useChange();
  const [isRemoving, setRemoving] = useState(false);
  const [isRemovingPasskeys, setRemovingPasskeys] = useState(false);
  const [isSuspending, setSuspending] = useState(false);
  const { name, userId } = member;
  const params = { userId };
  const setRole = async (orgRole: OrgRole) => {
    if (await change.make('role', () => api.changeMember({ params, body: { orgRole } })))
      services.toast.success(`${name} is ${orgRoleName(orgRole)} now`);
  };
  const letIn = async () => {
    if (await change.make('let in', () => api.changeMember({ params, body: { isSuspended: false } })))
      services.toast.success(`${name} is let in again`);
  };
  const endSessions = async () => {
    if (await change.make('sessions', () => api.endMemberSessions({ params })))
      services.toast.success('Sessions ended', { detail: name });
  };
  return (
    <div className="flex min-w-0 flex-col gap-3 border-t border-hairline pt-3">
      <div className="max-w-80">
        <Select
          label="Role"
          options={orgRoleOptions}
          value={String(member.orgRole)}
          onChange={(value) =>
            void setRole(value === String(orgRoles.Owner) ? orgRoles.Owner : orgRoles.Member)
          }
        />
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <Button
          variant="secondary"
          isLoading={change.busy === 'sessions'}
          loadingText="Ending..."
          reason={member.sessions === 0 ? 'This person has no open session.' : undefined}
          onClick={() => void endSessions()}
        >
          End sessions
        </Button>
        <ResetLink member={member} change={change} />
        {member.signInWays.includes('passkey') && (
          <Button variant="secondary" onClick={() => setRemovingPasskeys(true)}>
            Remove passkeys…
          </Button>
        )}
        {member.isSuspended ? (
          <Button variant="secondary" isLoading={change.busy === 'let in'} onClick={() => void letIn()}>
            Let in again
          </Button>
        ) : (
          <Button variant="secondary" onClick={() => setSuspending(true)}>
            Suspend…
          </Button>
        )}
        <Button variant="danger" onClick={() => setRemoving(true)}>
          Remove…
        </Button>
      </div>
      {isRemovingPasskeys && (
        <RemovePasskeysDialog member={member} onClose={() => setRemovingPasskeys(false)} />
      )}
      {isSuspending && <SuspendDialog member={member} onClose={() => setSuspending(false)} />}
      {isRemoving && <RemoveDialog member={member} onClose={() => setRemoving(false)} />}
    </div>
  );
}

interface MemberDialogProps {
  readonly member: MemberDetail;
  readonly onClose: () => void;
}

function SuspendDialog({ member: { name, userId }, onClose }: MemberDialogProps) {
  const { services } = useCommands();
  const { api } = useData();
  const reread = useReread();
  return (
    <ConfirmDialog
      title={`Suspend ${name}?`}
      act="Suspend"
      acting="Suspending..."
      onClose={onClose}
      onConfirm={async () => {
        await api.changeMember({ params: { userId }, body: { isSuspended: true } });
        await reread();
        services.toast.success(`${name} is suspended`);
        onClose();
      }}
    >
      <p>
        Whatever they have open in this organisation ends at once, and they reach nothing of it. They keep
        their teams: let in again, they have what they had.
      </p>
    </ConfirmDialog>
  );
}

function RemovePasskeysDialog({ member: { name, userId }, onClose }: MemberDialogProps) {
  const { services } = useCommands();
  const { api } = useData();
  const reread = useReread();
  return (
    <ConfirmDialog
      title={`Remove the passkeys of ${name}?`}
      act="Remove passkeys"
      acting="Removing..."
      onClose={onClose}
      onConfirm={async () => {
        await api.removeMemberPasskeys({ params: { userId } });
        await reread();
        services.toast.success(`${name} has no passkey any more`);
        onClose();
      }}
    >
      <p>
        For somebody who has lost them. Sessions that they opened end at once. Where Owners need a passkey,
        they register another one at their next sign-in by password.
      </p>
    </ConfirmDialog>
  );
}

function RemoveDialog({ member: { name, userId }, onClose }: MemberDialogProps) {
  const { registry, services } = useCommands();
  const { api, queryClient, queries } = useData();
  const reread = useReread();
  return (
    <ConfirmDialog
      title={`Remove ${name} from the organisation?`}
      act="Remove"
      acting="Removing..."
      onClose={onClose}
      onConfirm={async () => {
        await api.removeMember({ params: { userId } });
        // Whoever is no longer in the list is not read again.
        queryClient.setQueryData(queries.members.queryKey, (known) =>
          known?.filter((one) => one.userId !== userId),
        );
        onClose();
        services.workspace.open(registry.href('members'));
        services.toast.success(`${name} is no longer a member`);
        await reread();
      }}
    >
      <p>
        Whatever they have open in this organisation ends at once, and they leave all its teams. Their account
        stays theirs; to come back they have to be invited.
      </p>
    </ConfirmDialog>
  );
}
