import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useData } from '../../data/port.ts';
import { useSignIn } from '../../data/sign-in.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { inviteToken, linkToken, openedLinks, resetLinkToken } from '../../routing/address.ts';
import { rememberedPlace } from '../../data/remember.ts';
import { splitHref } from '../../../registry/path.ts';
import { useCell } from '../../core/state/state.ts';
import { failureParam, providerParam } from '../../../contract/sign-in.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Button } from '../../kit/Button.tsx';
import { Note } from '../../kit/Note.tsx';
import { consolePath } from '../../workspace/link.ts';
import { isValidUser } from '../../data/valid-user.ts';
import { BarePage } from '../../frame/BarePage.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { useEnter } from '../use-enter.ts';
import { pendingHostedPage } from '../../data/pending-checkout.ts';
import { callbackHref, placeAfterSignIn } from '../return-url.ts';
import { useOnline } from '../use-online.ts';
import { FinePrint } from './FinePrint.tsx';
import { PendingInvitations } from '../Invite/PendingInvitations.tsx';
import { FirstOwnerForm } from './FirstOwnerForm.tsx';
import { ForgottenForm } from './ForgottenForm.tsx';
import { ResetForm } from './ResetForm.tsx';
import { InvitationArrival } from './InvitationArrival.tsx';
import { Lapsed } from './Lapsed.tsx';
import { signInSentence } from '../../features/identity/sign-in-failures.ts';
import { PasskeyButton } from './PasskeyButton.tsx';
import { Providers } from './Providers.tsx';
import { SignInForm } from './SignInForm.tsx';
import { Unconfirmed } from './Unconfirmed.tsx';

/**
 * `/login`: signing in, creating the first Owner when a set-up link was opened, and answering invitations. It begins anew
 * when another link is opened at its path.
 */
export function Screen() {
  return <Login key={useCell(openedLinks)} />;
}

function Login() {
  const { queries } = useData();
  const { lapse: lapses } = useSignIn();
  const { workspace } = useWorkspace();
  const lapse = useCell(lapses);
  const [isReset, setReset] = useState(() => resetLinkToken() !== undefined);
  const [isForgotten, setForgotten] = useState(false);
  const [isSetup, setSetup] = useState(() => linkToken() !== undefined);
  const [invitation, setInvitation] = useState(inviteToken);
  const address = new URLSearchParams(splitHref(workspace.href()).search);
  const named = address.get(providerParam);
  const options = useQuery(queries.signInOptions(named ?? undefined)).data;
  const providers = options?.providers ?? [];
  const session = useQuery(queries.session).data;
  const enter = useEnter();
  const isOnline = useOnline();

  // Somebody already signed in has no business here, unless a link or a refused call brought them.
  useEffect(() => {
    if (isSetup || isReset || invitation !== undefined || lapse !== undefined) return;
    if (session !== undefined && session !== null && isValidUser(session)) enter(session);
  }, [isSetup, isReset, invitation, lapse, session, enter]);

  if (!isSetup && !isReset && invitation !== undefined)
    return <InvitationArrival token={invitation} onGiveUp={() => setInvitation(undefined)} />;
  if (!isSetup && !isReset && session?.isInvitePending === true)
    return (
      <BarePage lead={`You are signed in as ${session.email}.`}>
        <PendingInvitations user={session} />
      </BarePage>
    );

  // Which tiles stood beside it is no text to read.
  const place = consolePath(placeAfterSignIn(splitHref(workspace.href()), rememberedPlace(sessionStorage)));
  const returnUrl = pendingHostedPage(localStorage) === undefined ? (place ?? '/') : callbackHref(place);
  const form =
    options === undefined ? null : (
      <>
        <Providers providers={providers} returnUrl={returnUrl} isScripted={session === null} />
        {providers.length > 0 && <p className="text-center text-sm text-text-3">or with your password</p>}
        <SignInForm
          isFirst={providers.length === 0}
          hasProviders={providers.length > 0}
          returnUrl={returnUrl}
        />
        <PasskeyButton />
        <Button variant="transparent" isWide className="-mt-1.5" onClick={() => setForgotten(true)}>
          Forgot your password?
        </Button>
      </>
    );
  return (
    <BarePage
      lead={
        isSetup
          ? options?.needsSetup === false
            ? 'Create an account that can set up an organisation, or sign in to the one that you have.'
            : 'Create the first Owner of this installation.'
          : isReset || isForgotten
            ? 'Choose a new password for your account.'
            : 'Sign in to your organisation’s clusters.'
      }
    >
      {!isOnline && (
        <Note tone="warn" role="status">
          <Glyph tone="warn" size={13} />
          <div>Your browser is offline. What you type stays here.</div>
        </Note>
      )}
      <Unconfirmed />
      {!isSetup && (
        <ErrorAlert
          message={signInSentence(
            address.get(failureParam),
            providers.find(({ key }) => key === named)?.label,
          )}
        />
      )}
      {isSetup ? (
        <FirstOwnerForm onGiveUp={() => setSetup(false)} />
      ) : isReset ? (
        <ResetForm onDone={() => setReset(false)} />
      ) : isForgotten ? (
        <ForgottenForm isMailed={options?.mailsResets === true} onBack={() => setForgotten(false)} />
      ) : lapse === undefined ? (
        form
      ) : (
        <Lapsed key={lapse.at} lapse={lapse} form={form} />
      )}
      {!isSetup && options?.needsSetup === true && (
        <FinePrint className="mt-1">
          This installation has no Owner yet. Open the set-up link that the server printed when it started;
          its log still has it.
        </FinePrint>
      )}
      {!isSetup && place !== undefined && place !== '/' && (
        <FinePrint className="mt-1">
          {lapse === undefined ? 'After signing in you return to' : 'You return to'}
          <br />
          <span className="mono">{place}</span>
        </FinePrint>
      )}
    </BarePage>
  );
}
