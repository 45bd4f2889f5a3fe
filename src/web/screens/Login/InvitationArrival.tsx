import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../contract/account.ts';
import type { InvitationLink } from '../../../contract/invitations.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { BarePage } from '../../frame/BarePage.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { Spinner } from '../../kit/Spinner.tsx';
import { useForm } from '../../kit/use-form.ts';
import { dropInviteToken } from '../../routing/address.ts';
import { PendingInvitations } from '../Invite/PendingInvitations.tsx';
import { orgRoleName } from '../org-role.ts';
import { Providers } from './Providers.tsx';
import { SignInForm } from './SignInForm.tsx';
import { SignUpForm } from './SignUpForm.tsx';

interface InvitationArrivalProps {
  readonly token: string;
  /** Goes on without the link. */
  readonly onGiveUp: () => void;
}

/** The page that an invitation link opens: who invites to what, then signing up or in, then the answer. */
export function InvitationArrival({ token, onGiveUp }: InvitationArrivalProps) {
  const { api, queries, queryClient } = useData();
  const session = useQuery(queries.session).data;
  const [claimed, setClaimed] = useState<User | undefined>(undefined);
  const link = useQuery({
    queryKey: ['invitation-link'],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => api.readInvitation({ body: { token } }, { signal }),
  });
  const giveUp = () => {
    dropInviteToken();
    onGiveUp();
  };
  const keep = (user: User) => {
    dropInviteToken();
    queryClient.setQueryData(queries.session.queryKey, user);
    setClaimed(user);
  };
  if (claimed !== undefined)
    return (
      <BarePage lead={`You are signed in as ${claimed.email}.`}>
        <PendingInvitations user={session ?? claimed} onLater={onGiveUp} />
      </BarePage>
    );
  if (link.isError)
    return (
      <BarePage lead="This link does not lead to an invitation.">
        <ErrorAlert error={link.error} />
        <Button size="lg" variant="secondary" isWide onClick={giveUp}>
          Go on without it
        </Button>
      </BarePage>
    );
  if (link.data === undefined || session === undefined)
    return (
      <BarePage lead="You are invited.">
        <Spinner label="Reading the invitation" />
      </BarePage>
    );
  return (
    <BarePage lead={<Offer link={link.data} />}>
      {session === null ? (
        <Enter token={token} link={link.data} onClaimed={keep} />
      ) : (
        <TakeIntoSession
          token={token}
          link={link.data}
          session={session}
          onClaimed={keep}
          onGiveUp={giveUp}
        />
      )}
    </BarePage>
  );
}

/** Who invites whom to what. */
function Offer({ link }: { readonly link: InvitationLink }) {
  return (
    <span className="wrap-anywhere">
      {link.invitedBy ?? 'An Owner'} invites <b className="font-semibold">{link.email}</b> to{' '}
      <b className="font-semibold">{link.companyName}</b> as {orgRoleName(link.orgRole)}.
    </span>
  );
}

interface EnterProps {
  readonly token: string;
  readonly link: InvitationLink;
  readonly onClaimed: (user: User) => void;
}

/** For somebody who is signed out: a new account of the invited address, or the one that it has. */
function Enter({ token, link, onClaimed }: EnterProps) {
  const { queries, queryClient } = useData();
  const [isSigningIn, setSigningIn] = useState(false);
  const providers = useQuery(queries.signInOptions()).data?.providers ?? [];
  if (isSigningIn)
    return (
      <>
        <SignInForm
          isFirst
          // With a session the page goes on by itself.
          onEntered={(user) => queryClient.setQueryData(queries.session.queryKey, user)}
        />
        <Button variant="transparent" isWide className="-mt-1.5" onClick={() => setSigningIn(false)}>
          Back to the invitation
        </Button>
      </>
    );
  return (
    <>
      {/* With a verified address the invitation is theirs: it needs no link after that. Without Google's script, as the
          session of whoever signs up or in here lives on in this document. */}
      <Providers providers={providers} returnUrl="/" isScripted={false} />
      {providers.length > 0 && <p className="text-center text-sm text-text-3">or with a password</p>}
      <SignUpForm token={token} link={link} onClaimed={onClaimed} />
      <Button variant="transparent" isWide className="-mt-1.5" onClick={() => setSigningIn(true)}>
        I have an account here
      </Button>
    </>
  );
}

interface TakeIntoSessionProps extends EnterProps {
  readonly session: User;
  readonly onGiveUp: () => void;
}

/** For somebody who is signed in: the invitation comes into their session, if it is for their address. */
function TakeIntoSession({ token, link, session, onClaimed, onGiveUp }: TakeIntoSessionProps) {
  const { run } = useCommands();
  const { api } = useData();
  const form = useForm(async () => onClaimed(await api.claimInvitation({ body: { token } })));
  const isOther = session.email !== link.email;
  return (
    <form className={formLook} onSubmit={form.submit}>
      <ErrorAlert
        error={
          form.failure ??
          (isOther
            ? `This invitation is for ${link.email}. You are signed in as ${session.email}: sign out to use it.`
            : undefined)
        }
      />
      {isOther ? (
        <Button type="button" size="lg" isWide onClick={() => run('session.logout')}>
          Sign out
        </Button>
      ) : (
        <Button type="submit" size="lg" isWide isLoading={form.isBusy} loadingText="Opening...">
          Go on as {session.name}
        </Button>
      )}
      <Button type="button" variant="transparent" isWide className="-mt-1.5" onClick={onGiveUp}>
        Not now
      </Button>
    </form>
  );
}
