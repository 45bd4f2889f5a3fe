import { useState } from 'react';
import { useData } from '../../data/port.ts';
import { dropLinkToken, linkToken } from '../../routing/address.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { AccountButton, EmailField, NameField, ReadablePassword } from '../account-fields.tsx';
import { useEnter } from '../use-enter.ts';
import { useForm } from '../../kit/use-form.ts';

/** The form behind a set-up link: name, email and password of the first Owner. */
export function FirstOwnerForm({ onGiveUp }: { readonly onGiveUp: () => void }) {
  const { api } = useData();
  const enter = useEnter();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
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
    <form className={formLook} onSubmit={form.submit}>
      <ErrorAlert error={form.failure ?? form.issue('token')}>
        <Button size="sm" variant="transparent" onClick={signIn}>
          Sign in instead
        </Button>
      </ErrorAlert>
      <NameField
        label="Your name"
        of="name"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do on this page
        autoFocus
        value={name}
        onChange={setName}
        error={form.issue('name')}
      />
      <EmailField value={email} onChange={setEmail} error={form.issue('email')} />
      <ReadablePassword isNew value={password} onChange={setPassword} error={form.issue('password')} />
      <AccountButton form={form} acting="Creating...">
        Create the Owner
      </AccountButton>
    </form>
  );
}
