import { useState } from 'react';
import type { User } from '../../../contract/account.ts';
import type { PendingInvitation } from '../../../contract/invitations.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { orgRoleName } from '../org-role.ts';
import { roleName } from '../team-role.ts';
import { dateTimeText } from '../../kit/date-time.ts';

interface InvitationCardProps {
  readonly invitation: PendingInvitation;
  /** Goes on with the person as the answer made them. */
  readonly onAnswered: (user: User) => Promise<void>;
}

/** One invitation with the two answers to it. */
export function InvitationCard({ invitation, onAnswered }: InvitationCardProps) {
  const { services } = useCommands();
  const { api } = useData();
  const [busy, setBusy] = useState<'accept' | 'reject' | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const { inviteId, companyName, invitedBy, orgRole, teams, expiresAt } = invitation;
  const answer = async (how: 'accept' | 'reject') => {
    if (busy !== undefined) return;
    setBusy(how);
    setFailure(undefined);
    try {
      const user =
        how === 'accept'
          ? await api.acceptInvitation({ body: { inviteId } })
          : await api.rejectInvitation({ params: { inviteId } });
      services.toast.success(how === 'accept' ? `You belong to ${companyName} now` : 'Invitation rejected');
      await onAnswered(user);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  const places = teams.map(({ name, role }) => `${name} as ${roleName(role)}`);
  return (
    <section
      aria-label={`Invitation to ${companyName}`}
      className="flex min-w-0 flex-col gap-2.5 rounded-sm border border-border p-3"
    >
      <ErrorAlert error={failure} />
      <p className="wrap-anywhere">
        {invitedBy ?? 'An Owner'} invites you to <b className="font-semibold">{companyName}</b> as{' '}
        {orgRoleName(orgRole)}.{places.length > 0 && ` Your teams: ${places.join(', ')}.`}
      </p>
      <p className="text-xs text-text-3">Good until {dateTimeText(expiresAt)}</p>
      <div className="flex flex-wrap gap-2">
        <Button isLoading={busy === 'accept'} loadingText="Joining..." onClick={() => void answer('accept')}>
          Accept
        </Button>
        <Button
          variant="secondary"
          isLoading={busy === 'reject'}
          loadingText="Rejecting..."
          onClick={() => void answer('reject')}
        >
          Reject
        </Button>
      </div>
    </section>
  );
}
