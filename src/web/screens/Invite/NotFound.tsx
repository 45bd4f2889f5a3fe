import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { User } from '../../../contract/account.ts';
import { failureParam } from '../../../contract/sign-in.ts';
import { useData } from '../../data/port.ts';
import { splitHref } from '../../../registry/path.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { useForm } from '../../kit/use-form.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { signInSentence } from '../../features/identity/sign-in-failures.ts';
import { AddressProof } from '../AddressProof.tsx';
import { useEnter } from '../use-enter.ts';
import { InvitePage } from './InvitePage.tsx';
import { PasskeyNeeded } from './PasskeyNeeded.tsx';

/** How often it is asked whether somebody let the person in (ms). */
const checkInterval = 15_000;
/** In the address: a sign-in that began on this page led back to it. */
const backParam = 'back';

/** `/invite-not-found`: why somebody belongs to no organisation, and how to come into one. */
export function Screen() {
  const { queries } = useData();
  const enter = useEnter();
  const known = useQuery(queries.session).data;
  const isWaiting = known !== null && known !== undefined && known.isInviteNotFound;
  const checked = useQuery({
    ...queries.session,
    refetchInterval: isWaiting ? checkInterval : false,
  });
  const user = checked.data;
  const { workspace } = useWorkspace();
  const [isBack] = useState(() => new URLSearchParams(splitHref(workspace.href()).search).has(backParam));
  const hasWaited = useRef(isBack);
  useEffect(() => {
    if (isWaiting) hasWaited.current = true;
    // To anybody else who opens this address the page shows.
    else if (hasWaited.current && user !== undefined && user !== null) enter(user);
  }, [isWaiting, user, enter]);
  if (!isWaiting)
    return (
      <InvitePage
        title="This invitation does not exist any more."
        text="It was withdrawn, has expired or was already used. Ask an Owner of the organisation to invite you again."
      />
    );
  if (known.passkeyCompany !== undefined) return <PasskeyNeeded company={known.passkeyCompany} />;
  if (known.closedCompany !== undefined) return <Closed company={known.closedCompany} />;
  return (
    <InvitePage {...reasonOf(known)}>
      <AddressProof />
      <Ask />
      <Button
        size="lg"
        variant="secondary"
        isWide
        isLoading={checked.isFetching}
        loadingText="Checking..."
        onClick={() => void checked.refetch()}
      >
        Check again
      </Button>
    </InvitePage>
  );
}

/** Leads to the sign-in of a company that opens by its own provider alone, which connects it to the account. */
function Closed({ company: { name, provider } }: { readonly company: NonNullable<User['closedCompany']> }) {
  const { api } = useData();
  const { workspace } = useWorkspace();
  const failed = new URLSearchParams(splitHref(workspace.href()).search).get(failureParam);
  const form = useForm(async () => {
    const body = { provider: provider.key, returnUrl: `/invite-not-found?${backParam}=1` };
    location.assign((await api.connectIdentity({ body })).url);
  });
  return (
    <InvitePage
      title={`${name} lets its people sign in only with ${provider.label}.`}
      text={`You belong to ${name}. Sign in with ${provider.label} once: it is connected to your account, and opens ${name} from then on.`}
    >
      <form className={formLook} onSubmit={form.submit}>
        <ErrorAlert error={form.failure ?? signInSentence(failed, provider.label)} />
        <Button type="submit" size="lg" isWide isLoading={form.isBusy} loadingText="Signing in...">
          Continue with {provider.label}
        </Button>
      </form>
    </InvitePage>
  );
}

function reasonOf({ formerCompany, email }: User): { title: string; text: string } {
  if (formerCompany?.reason === 'suspended')
    return {
      title: `An Owner suspended you in ${formerCompany.name}.`,
      text: 'Your teams are kept. This page opens the console as soon as an Owner lets you in again.',
    };
  if (formerCompany !== undefined)
    return {
      title:
        formerCompany.reason === 'removed'
          ? `An Owner removed you from ${formerCompany.name}.`
          : `You left ${formerCompany.name}.`,
      text: 'To come back you need an invitation. It will appear on this page.',
    };
  return {
    title: 'You have no pending invitations.',
    text: `You belong to no organisation, and none has invited ${email}. An invitation will appear on this page.`,
  };
}

/** Asks the Owners for an invitation. Whether there is an organisation with the domain is not told. */
function Ask() {
  const { api } = useData();
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle');
  const [failure, setFailure] = useState<unknown>(undefined);
  const ask = async () => {
    setState('busy');
    setFailure(undefined);
    try {
      await api.requestInvite({});
      setState('done');
    } catch (error) {
      setFailure(error);
      setState('idle');
    }
  };
  if (state === 'done')
    return (
      <p role="status" className="text-text-2">
        If an organisation here has the domain of your address, its Owners will see your request.
      </p>
    );
  return (
    <>
      <ErrorAlert error={failure} />
      <Button
        size="lg"
        isWide
        isLoading={state === 'busy'}
        loadingText="Asking..."
        onClick={() => void ask()}
      >
        Ask for an invitation
      </Button>
    </>
  );
}
