import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../contract/account.ts';
import type { PendingInvitation } from '../../../contract/invitations.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Spinner } from '../../kit/Spinner.tsx';
import { useEnter } from '../use-enter.ts';
import { InvitationCard } from './InvitationCard.tsx';

interface PendingInvitationsProps {
  readonly user: User;
  /** Leaves them unanswered; only for somebody who has an organisation to go on in. */
  readonly onLater?: () => void;
}

/** The invitations that wait for a person, to accept or reject, on a page without chrome. */
export function PendingInvitations({ user, onLater }: PendingInvitationsProps) {
  const { run } = useCommands();
  const { queries, queryClient } = useData();
  const pending = useQuery({ ...queries.pendingInvitations, refetchOnMount: 'always' });
  const enter = useEnter();
  const [isReading, setReading] = useState(false);
  const isHomeless = user.companyId === 0;

  /** Goes on where nothing more is to be answered here. */
  const answered = async (next: User) => {
    queryClient.setQueryData(queries.session.queryKey, next);
    await queryClient.invalidateQueries({ queryKey: queries.pendingInvitations.queryKey });
    const left = queryClient.getQueryData(queries.pendingInvitations.queryKey) ?? [];
    if (!next.isInvitePending && (isHomeless || left.length === 0)) enter(next);
  };
  const readAgain = async () => {
    setReading(true);
    const next = await queryClient
      .fetchQuery({ ...queries.session, staleTime: 0 })
      .finally(() => setReading(false));
    if (next !== null && !next.isInvitePending) enter(next);
  };
  return (
    <>
      <ErrorAlert
        title="Could not load your invitations."
        error={pending.error}
        onRetry={() => void pending.refetch()}
        isRetrying={pending.isFetching}
      />
      {pending.isPending && <Spinner label="Loading your invitations" />}
      {pending.data?.map((invitation: PendingInvitation) => (
        <InvitationCard key={invitation.inviteId} invitation={invitation} onAnswered={answered} />
      ))}
      {pending.data?.length === 0 && (
        <>
          <p className="text-text-2">You have no pending invitations.</p>
          <Button size="lg" variant="secondary" isWide isLoading={isReading} onClick={() => void readAgain()}>
            Go on
          </Button>
        </>
      )}
      {!isHomeless && onLater !== undefined ? (
        <Button variant="transparent" isWide className="-mt-1.5" onClick={onLater}>
          Answer later
        </Button>
      ) : (
        <Button variant="transparent" isWide className="-mt-1.5" onClick={() => run('session.logout')}>
          Logout
        </Button>
      )}
    </>
  );
}
