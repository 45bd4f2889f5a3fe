import { useState } from 'react';
import { passwordMinimum } from '../../../contract/account.ts';
import { useApp } from '../../app/context.ts';
import { dropLinkToken, linkToken } from '../../app/address.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorAlert } from '../../ui/ErrorAlert.tsx';
import { TextField } from '../../ui/fields.tsx';
import { useEnter } from '../use-enter.ts';
import { useForm } from '../use-form.ts';

/** What a set-up link leads to: name, e-mail and password of the first Owner. */
export function FirstOwnerForm({ onGiveUp }: { readonly onGiveUp: () => void }) {
  const { api } = useApp();
  const enter = useEnter();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isShown, setShown] = useState(false);
  const form = useForm(async () => {
    const body = { token: linkToken() ?? '', name: name.trim(), email: email.trim(), password };
    const user = await api.setup({ body });
    dropLinkToken();
    enter(user);
  });
  const signIn = () => {
    dropLinkToken();
    onGiveUp();
  };
  return (
    <form className="form" onSubmit={form.submit}>
      <ErrorAlert message={form.error ?? form.issue('token')}>
        <Button size="sm" variant="transparent" onClick={signIn}>
          Sign in instead
        </Button>
      </ErrorAlert>
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        required
        maxLength={100}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do on this page
        autoFocus
        className="lg"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={form.issue('name')}
      />
      <TextField
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        className="lg"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={form.issue('email')}
      />
      <TextField
        label="Password"
        type={isShown ? 'text' : 'password'}
        name="new-password"
        autoComplete="new-password"
        required
        minLength={passwordMinimum}
        maxLength={256}
        className="lg"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={form.issue('password')}
        help={`At least ${passwordMinimum} characters. A few words in a row are fine.`}
      />
      <label className="row check">
        <input type="checkbox" checked={isShown} onChange={(event) => setShown(event.target.checked)} />
        Show the password
      </label>
      <Button type="submit" size="lg" className="wide" isLoading={form.isBusy} loadingText="Creating...">
        Create the Owner
      </Button>
    </form>
  );
}
