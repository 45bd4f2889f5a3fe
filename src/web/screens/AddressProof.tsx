import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressLinkHours } from '../../contract/own-address.ts';
import { useCell } from '../core/state/state.ts';
import { useData } from '../data/port.ts';
import { Button } from '../kit/Button.tsx';
import { ErrorAlert } from '../kit/ErrorAlert.tsx';
import { useForm } from '../kit/use-form.ts';
import { openedLinks, takeAddressToken } from '../routing/address.ts';

/**
 * Lets somebody show that the address of their account is theirs, by a mailed link; uses the link that the page was opened
 * with. Nothing while that is not known, or once the address is shown.
 */
export function AddressProof() {
  return <Proof key={useCell(openedLinks)} />;
}

function Proof() {
  const { queries } = useData();
  const used = useMailedLink();
  const address = useQuery(queries.ownAddress).data;
  return (
    <>
      <ErrorAlert error={used.failure} />
      {used.isDone && (
        <p role="status" className="text-text-2">
          {address?.email ?? 'Your address'} is confirmed as your address.
        </p>
      )}
      {address?.isProven === false && <AskForLink email={address.email} isMailed={address.isMailed} />}
    </>
  );
}

interface AskForLinkProps {
  readonly email: string;
  readonly isMailed: boolean;
}

function AskForLink({ email, isMailed }: AskForLinkProps) {
  const { api } = useData();
  const [isSent, setSent] = useState(false);
  const form = useForm(async () => {
    await api.mailAddressLink({});
    setSent(true);
  });
  if (isSent)
    return (
      <p role="status" className="wrap-anywhere text-text-2">
        A link is on its way to {email}. Open it in this browser within {addressLinkHours} hours. If none
        arrives, the operator of this console can find the reason in its log.
      </p>
    );
  return (
    <form className="flex min-w-0 flex-col gap-2" onSubmit={form.submit} aria-label="Your address">
      <p className="wrap-anywhere text-text-2">
        Confirm that {email} is your address. Until then you can only sign in with it: it cannot be used to
        reset a password or to set the domain of an organisation.
        {!isMailed && ' This console has no mail server to send you a link. Its operator can set one up.'}
      </p>
      <ErrorAlert error={form.failure} />
      <div>
        <Button
          type="submit"
          variant="secondary"
          isLoading={form.isBusy}
          loadingText="Mailing..."
          reason={isMailed ? undefined : 'This console has no mail server.'}
        >
          Mail me a link
        </Button>
      </div>
    </form>
  );
}

/** Uses the token of the link that the page was opened with, once. */
function useMailedLink(): { readonly isDone: boolean; readonly failure: unknown } {
  const { api, queries, queryClient } = useData();
  const [isDone, setDone] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  useEffect(() => {
    const token = takeAddressToken();
    if (token === undefined) return;
    api.proveAddress({ body: { token } }).then((address) => {
      queryClient.setQueryData(queries.ownAddress.queryKey, address);
      setDone(true);
    }, setFailure);
  }, [api, queries, queryClient]);
  return { isDone, failure };
}
