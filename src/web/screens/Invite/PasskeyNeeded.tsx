import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { User } from '../../../contract/account.ts';
import { registerPasskey } from '../../data/passkey.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { useForm } from '../../kit/use-form.ts';
import { PasskeyButton } from '../Login/PasskeyButton.tsx';
import { browserName } from '../Settings/browser-name.ts';
import { useEnter } from '../use-enter.ts';
import { InvitePage } from './InvitePage.tsx';

/** Leads somebody whose organisation asks for a passkey to sign in with theirs, or to register the first one. */
export function PasskeyNeeded({
  company: { name, hasPasskey },
}: {
  readonly company: NonNullable<User['passkeyCompany']>;
}) {
  const { queries } = useData();
  const own = useQuery(queries.passkeys);
  return (
    <InvitePage
      title={`${name} asks you to sign in with a passkey.`}
      text={
        hasPasskey
          ? 'Your password is not enough. If you have lost your passkeys, ask an Owner or the operator to remove them.'
          : 'You have none yet. Register one on this device to open the organisation, now and at each sign-in.'
      }
    >
      <ErrorAlert error={own.error} onRetry={() => void own.refetch()} isRetrying={own.isFetching} />
      {hasPasskey ? <PasskeyButton isFirst /> : own.data !== undefined && <FirstPasskey />}
    </InvitePage>
  );
}

function FirstPasskey() {
  const { api } = useData();
  const enter = useEnter();
  const [name, setName] = useState(browserName(navigator.userAgent));
  const form = useForm(async () => {
    enter(await registerPasskey(api, name));
  });
  return (
    <form className={formLook} onSubmit={form.submit} aria-label="First passkey">
      <ErrorAlert error={form.failure} />
      <TextField
        label="Name of the passkey"
        required
        maxLength={100}
        size="lg"
        autoComplete="off"
        value={name}
        error={form.issue('name')}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" size="lg" isWide isLoading={form.isBusy} loadingText="Waiting for the device...">
        Register a passkey
      </Button>
    </form>
  );
}
