import { useState } from 'react';
import type { User } from '../../../contract/account.ts';
import type { InvitationLink } from '../../../contract/invitations.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { Note } from '../../kit/Note.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { useForm } from '../../kit/use-form.ts';
import { AccountButton, NameField, ReadablePassword } from '../account-fields.tsx';

interface SignUpFormProps {
  readonly token: string;
  readonly link: InvitationLink;
  readonly onClaimed: (user: User) => void;
}

/** A new account by an invitation link, whose address is fixed; or the password of the account that it has. */
export function SignUpForm({ token, link, onClaimed }: SignUpFormProps) {
  const { api } = useData();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [takesAddress, setTakesAddress] = useState(false);
  const isKnown = link.account === 'exists' || (link.account === 'unproven' && !takesAddress);
  const form = useForm(async () => {
    const entered = { token, name: name.trim(), password };
    const body = isKnown ? { token, password } : takesAddress ? { ...entered, takesAddress } : entered;
    onClaimed(await api.claimInvitation({ body }));
  });
  return (
    <form className={formLook} onSubmit={form.submit}>
      <ErrorAlert error={form.failure} />
      {link.account === 'open' && (
        <Note tone="info">
          <Glyph tone="info" size={13} />
          <div>
            Somebody made an account with your address before you showed that it is yours. It becomes yours
            with the password that you choose here, and the other person is signed out.
          </div>
        </Note>
      )}
      {link.account === 'unproven' && (
        <Note tone="info">
          <Glyph tone="info" size={13} />
          <div>
            {takesAddress
              ? 'The other account loses your address, and you get your own account with the password that you choose here.'
              : 'An account of another organisation has your address, but never confirmed it. If it is yours, sign in with its password.'}
          </div>
        </Note>
      )}
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        readOnly
        size="lg"
        value={link.email}
        help="The invitation is for this address alone."
      />
      {!isKnown && (
        <NameField
          label="Your name"
          of="name"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do on this page
          autoFocus
          value={name}
          onChange={setName}
          error={form.issue('name')}
        />
      )}
      <ReadablePassword
        isNew={!isKnown}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do on this page
        autoFocus={isKnown}
        value={password}
        onChange={setPassword}
        error={form.issue('password')}
      />
      <AccountButton form={form} acting={isKnown ? 'Signing in...' : 'Creating...'}>
        {isKnown ? 'Sign in' : 'Create your account'}
      </AccountButton>
      {link.account === 'unproven' && (
        <Button
          variant="transparent"
          isWide
          className="-mt-1.5"
          onClick={() => setTakesAddress(!takesAddress)}
        >
          {takesAddress ? 'It is my account' : 'It is not my account'}
        </Button>
      )}
    </form>
  );
}
