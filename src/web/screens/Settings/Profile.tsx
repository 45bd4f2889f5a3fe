import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { passwordMinimum } from '../../../contract/account.ts';
import { useApp } from '../../app/context.ts';
import { initialsOf, isAdmin } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorAlert } from '../../ui/ErrorAlert.tsx';
import { TextField } from '../../ui/fields.tsx';
import { useForm } from '../use-form.ts';

/** Who is signed in, and their password. */
export function Profile() {
  const { queries } = useApp();
  const user = useQuery(queries.session).data;
  if (user === undefined || user === null) return null;
  return (
    <>
      <div className="row profile">
        <span className="avatar" aria-hidden="true">
          {initialsOf(user.name)}
        </span>
        <dl className="facts">
          <dt>Name</dt>
          <dd>{user.name}</dd>
          <dt>E-mail</dt>
          <dd>{user.email}</dd>
          <dt>Organisation</dt>
          <dd>{user.companyName}</dd>
          <dt>Role</dt>
          <dd>{isAdmin(user) ? 'Owner' : 'Member'}</dd>
        </dl>
      </div>
      <PasswordForm email={user.email} />
    </>
  );
}

function PasswordForm({ email }: { readonly email: string }) {
  const { api, services } = useApp();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const form = useForm(async () => {
    await api.changePassword({ body: { current, next } });
    setCurrent('');
    setNext('');
    services.toast.success('Password changed', { detail: 'Every other session of yours was signed out.' });
  });
  return (
    <form className="set-form" onSubmit={form.submit} aria-label="Change password">
      <ErrorAlert message={form.error} />
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
        help={`At least ${passwordMinimum} characters. Every other session is signed out.`}
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
