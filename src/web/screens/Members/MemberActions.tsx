import { useState } from 'react';
import type { MemberDetail } from '../../../contract/members.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { Select } from '../../kit/Select.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { orgRoleOptions } from '../org-role.ts';
import { useChange, useReread } from '../use-change.ts';
import { ResetLink } from './ResetLink.tsx';

/** What an Owner does to a membership. The account is the person's own and is never touched. */
export function MemberActions({ member }: { readonly member: MemberDetail }) {
  const { run } = useCommands();
  const change = useChange();
  const [isRemovingPasskeys, setRemovingPasskeys] = useState(false);
  const person = { person: member.userId };
  return (
    <div className="flex min-w-0 flex-col gap-3 border-t border-hairline pt-3">
      <div className="max-w-80">
        <Select
          label="Role"
          options={orgRoleOptions}
          value={String(member.orgRole)}
          isSavedAtOnce
          onChange={(role) => run('members.role', { ...person, role })}
        />
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <Button
          variant="secondary"
          reason={member.sessions === 0 ? 'This person has no open session.' : undefined}
          onClick={() => run('members.endSessions', person)}
        >
          End sessions…
        </Button>
        <ResetLink member={member} change={change} />
        {member.signInWays.includes('passkey') && (
          <Button variant="secondary" onClick={() => setRemovingPasskeys(true)}>
            Remove passkeys…
          </Button>
        )}
        <Button variant="secondary" onClick={() => run('members.addToTeam', person)}>
          Add to team…
        </Button>
        {member.isSuspended ? (
          <Button variant="secondary" onClick={() => run('members.letIn', person)}>
            Let in again
          </Button>
        ) : (
          <Button variant="secondary" onClick={() => run('members.suspend', person)}>
            Suspend…
          </Button>
        )}
        <Button variant="danger" onClick={() => run('members.remove', person)}>
          Remove…
        </Button>
      </div>
      {isRemovingPasskeys && (
        <RemovePasskeysDialog member={member} onClose={() => setRemovingPasskeys(false)} />
      )}
    </div>
  );
}

interface MemberDialogProps {
  readonly member: MemberDetail;
  readonly onClose: () => void;
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
