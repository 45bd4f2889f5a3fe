import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitationRequest, ListedInvitation } from '../../../contract/invitations.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { ActsMenu } from '../../features/organisation/ActsMenu.tsx';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { dateText } from '../../kit/date-time.ts';
import { type MenuPlace, placeAt } from '../../kit/menu-place.ts';
import { SetCard } from '../../kit/SetCard.tsx';
import { orgRoleName } from '../org-role.ts';
import { roleName } from '../team-role.ts';
import { useChange } from '../use-change.ts';

interface InvitationsProps {
  /** The part of them that shows. */
  readonly part: 'invitations' | 'requests';
  readonly onInvite: (email: string) => void;
}

/** Invitations that are open, expired or rejected, or people who ask for one. */
export function Invitations({ part, onInvite }: InvitationsProps) {
  const { queries } = useData();
  const list = useQuery(queries.invitations);
  const { invitations = [], requests = [] } = list.data ?? {};
  return (
    <>
      <ErrorAlert
        title="Could not load the invitations."
        error={list.error}
        onRetry={() => void list.refetch()}
        isRetrying={list.isFetching}
      />
      {list.data !== undefined && part === 'requests' && (
        <SetCard title="Asking for an invitation">
          {requests.length === 0 ? (
            <p className="text-text-2">Nobody asks for an invitation.</p>
          ) : (
            <ul className={rows}>
              {requests.map((request) => (
                <RequestRow key={request.userId} request={request} onInvite={onInvite} />
              ))}
            </ul>
          )}
        </SetCard>
      )}
      {list.data !== undefined && part === 'invitations' && (
        <SetCard title="Invitations">
          {invitations.length === 0 ? (
            <p className="text-text-2">No invitation is open.</p>
          ) : (
            <ul className={rows}>
              {invitations.map((invitation) => (
                <InvitationRow key={invitation.inviteId} invitation={invitation} />
              ))}
            </ul>
          )}
        </SetCard>
      )}
    </>
  );
}

const rows = 'flex min-w-0 flex-col divide-y divide-hairline';
const row =
  'flex min-w-0 items-center gap-3 py-2 first:pt-0 last:pb-0 narrow:flex-col narrow:items-stretch narrow:gap-1.5';

const stateTone = { pending: 'info', expired: 'warn', rejected: 'bad' } as const;
const stateText = { pending: 'Pending', expired: 'Expired', rejected: 'Rejected' } as const;
const mailText = {
  off: 'not mailed: this console has no mail server',
  sending: 'mail on its way',
  sent: 'mailed',
  failed: 'mail failed',
} as const;

function InvitationRow({ invitation }: { readonly invitation: ListedInvitation }) {
  const { run } = useCommands();
  const [menu, setMenu] = useState<MenuPlace>();
  const { inviteId, email, orgRole, teams, invitedBy, expiresAt, state, mail, mailProblem } = invitation;
  const args = { invitation: inviteId };
  const places = teams.map(({ name, role }) => `${name} as ${roleName(role)}`).join(', ');
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its buttons and keys do the same
    <li
      className={row}
      aria-label={`Invitation for ${email}`}
      data-invitation={inviteId}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenu(placeAt(event));
      }}
    >
      <div className="min-w-0 flex-1">
        <b className="font-medium wrap-anywhere" tabIndex={-1} data-line="">
          {email}
        </b>{' '}
        <Badge tone={stateTone[state]}>{stateText[state]}</Badge>
        <span className="block text-xs wrap-anywhere text-text-3">
          {orgRoleName(orgRole)}
          {places !== '' && `, ${places}`}
          {invitedBy !== null && ` · by ${invitedBy}`}
          {state !== 'rejected' &&
            ` · ${state === 'expired' ? 'expired' : 'good until'} ${dateText(expiresAt)}`}
          {` · ${mailText[mail]}`}
        </span>
        {mail === 'failed' && <span className="block text-xs wrap-anywhere text-bad-fg">{mailProblem}</span>}
      </div>
      <div className="flex flex-none flex-wrap gap-2">
        <Button
          size="sm"
          variant="secondary"
          aria-label={`Send again: invitation for ${email}`}
          onClick={() => run('invitations.resend', args)}
        >
          Send again
        </Button>
        <Button
          size="sm"
          variant="secondary"
          aria-label={`Revoke the invitation for ${email}`}
          onClick={() => run('invitations.revoke', args)}
        >
          Revoke…
        </Button>
      </div>
      {menu !== undefined && (
        <ActsMenu
          of="invitation"
          args={args}
          label={`Actions on the invitation for ${email}`}
          place={menu}
          onClose={() => setMenu(undefined)}
        />
      )}
    </li>
  );
}

interface RequestRowProps {
  readonly request: InvitationRequest;
  readonly onInvite: (email: string) => void;
}

function RequestRow({ request: { userId, name, email }, onInvite }: RequestRowProps) {
  const { api } = useData();
  const change = useChange();
  return (
    <li className={row}>
      <div className="min-w-0 flex-1">
        <b className="font-medium wrap-anywhere">{name}</b>
        <span className="block text-xs wrap-anywhere text-text-3">{email}</span>
      </div>
      <div className="flex flex-none flex-wrap gap-2">
        <Button size="sm" aria-label={`Invite ${email}`} onClick={() => onInvite(email)}>
          Invite…
        </Button>
        <Button
          size="sm"
          variant="secondary"
          aria-label={`Dismiss the request of ${email}`}
          isLoading={change.busy === 'dismiss'}
          onClick={() =>
            void change.make('dismiss', () => api.dismissInvitationRequest({ params: { userId } }))
          }
        >
          Put away
        </Button>
      </div>
    </li>
  );
}
