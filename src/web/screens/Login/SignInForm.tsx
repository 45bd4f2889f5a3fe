import { useState } from 'react';
import type { User } from '../../../contract/account.ts';
import { Problem } from '../../../contract/problem.ts';
import { useData } from '../../data/port.ts';
import { signInAddress } from '../../data/sign-in-address.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { EmailField, PasswordField } from '../account-fields.tsx';
import { useEnter } from '../use-enter.ts';
import { useForm } from '../../kit/use-form.ts';

interface SignInFormProps {
  /** Whether nothing else signs in on the page: it then has the focus. */
  readonly isFirst: boolean;
  /** Whether a provider signs in on the page as well. */
  readonly hasProviders?: boolean;
  /** Where a sign-in at a provider leads to, if the password is not the way in: a path of this console. */
  readonly returnUrl?: string;
  /** Where it leads to; without it to where the person was. */
  readonly onEntered?: (user: User) => void;
}

/** Email and password. */
export function SignInForm({ isFirst, hasProviders = false, returnUrl = '/', onEntered }: SignInFormProps) {
  const { api } = useData();
  const enter = useEnter();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const form = useForm(async () =>
    (onEntered ?? enter)(await api.signIn({ body: { email: email.trim(), password } })),
  );
  const isSlowed = form.failure instanceof Problem && form.failure.status === 429;
  const signInAt = form.failure instanceof Problem ? form.failure.signInAt : undefined;
  return (
    <form className={formLook} onSubmit={form.submit}>
      <ErrorAlert error={form.failure}>
        {isSlowed && (
          <span>
            {hasProviders
              ? 'You can sign in with a provider or a passkey without waiting.'
              : 'You can sign in with a passkey without waiting.'}
          </span>
        )}
        {signInAt && (
          <Button
            size="sm"
            variant="secondary"
            onClick={() => location.assign(signInAddress(signInAt.key, returnUrl))}
          >
            Continue with {signInAt.label}
          </Button>
        )}
      </ErrorAlert>
      <EmailField
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do on this page
        autoFocus={isFirst}
        value={email}
        onChange={setEmail}
        error={form.issue('email')}
      />
      <PasswordField value={password} onChange={setPassword} error={form.issue('password')} />
      <Button
        type="submit"
        variant={isFirst ? 'primary' : 'secondary'}
        size="lg"
        isWide
        className="mt-1"
        isLoading={form.isBusy}
        loadingText="Signing in..."
      >
        Sign in
      </Button>
    </form>
  );
}
