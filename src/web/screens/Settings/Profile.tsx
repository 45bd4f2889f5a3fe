import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { passwordRules } from '../../../contract/account.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { initialsOf, isAdmin } from '../../data/session.ts';
import { avatar } from '../../shell/sidebar-look.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { TextField } from '../../kit/fields.tsx';
import { useForm } from '../../kit/use-form.ts';
import { AddressProof } from '../AddressProof.tsx';

/** Who is signed in, and their password. */
export function Profile() {
  const { queries } = useData();
  const user = useQuery(queries.session).data;
  if (user === undefined || user === null) return null;
  return (
    <>
      <div className="flex min-w-0 items-start gap-3.5">
        <span className={avatar({ size: 'page' })} aria-hidden="true">
          {initialsOf(user.name)}
        </span>
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
          <dt className="text-text-2">Name</dt>
          <dd className="wrap-anywhere">{user.name}</dd>
          <dt className="text-text-2">Email</dt>
          <dd className="wrap-anywhere">{user.email}</dd>
          <dt className="text-text-2">Organisation</dt>
          <dd className="wrap-anywhere">{user.companyName}</dd>
          <dt className="text-text-2">Role</dt>
          <dd className="wrap-anywhere">{isAdmin(user) ? 'Owner' : 'Member'}</dd>
        </dl>
      </div>
      <AddressProof />
      <PasswordForm email={user.email} />
    </>
  );
}

function PasswordForm({ email }: { readonly email: string }) {
  const { services } = useCommands();
  const { api } = useData();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const form = useForm(async () => {
    await api.changePassword({ body: { current, next } });
    setCurrent('');
    setNext('');
    services.toast.success('Password changed', { detail: 'Every other session of yours was signed out.' });
  });
  return (
    <form
      className="flex max-w-88 flex-col gap-2.5 border-t border-hairline pt-3"
      onSubmit={form.submit}
      aria-label="Change password"
    >
      <ErrorAlert error={form.failure} />
      {/* Tells password managers whose password this is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <TextField
        label="Current password"
        type="password"
        name="current"
        autoComplete="current-password"
        required
        maxLength={256}
        value={current}
        onChange={(event) => setCurrent(event.target.value)}
        error={form.issue('current')}
      />
      <TextField
        label="New password"
        type="password"
        name="next"
        autoComplete="new-password"
        required
        maxLength={256}
        help={`${passwordRules} This signs out every other session; API tokens keep working.`}
        value={next}
        onChange={(event) => setNext(event.target.value)}
        error={form.issue('next')}
      />
      <div>
        <Button type="submit" variant="secondary" isLoading={form.isBusy} loadingText="Changing...">
          Change password
        </Button>
      </div>
    </form>
  );
}
