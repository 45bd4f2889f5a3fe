import { type ReactNode, useState } from 'react';
import { passwordMinimum, passwordRules } from '../../contract/account.ts';
import { Button } from '../kit/Button.tsx';
import { TextField } from '../kit/fields.tsx';
import { CheckLine } from '../kit/input.tsx';
import type { FormState } from '../kit/use-form.ts';

interface AccountFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly autoFocus?: boolean;
}

interface NameFieldProps extends AccountFieldProps {
  readonly label: ReactNode;
  /** The `autocomplete` token of the field. */
  readonly of: 'name' | 'organization';
}

/** The name of a person or an organisation. */
export function NameField({ label, of, onChange, ...field }: NameFieldProps) {
  return (
    <TextField
      {...field}
      label={label}
      name={of}
      autoComplete={of}
      required
      maxLength={100}
      size="lg"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** The email address that somebody signs in with. */
export function EmailField({ onChange, ...field }: AccountFieldProps) {
  return (
    <TextField
      {...field}
      label="Email"
      type="email"
      name="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      size="lg"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface PasswordFieldProps extends AccountFieldProps {
  /** It is chosen here: its rules are said and kept. */
  readonly isNew?: boolean;
  /** Whether it can be read as it is typed. */
  readonly isShown?: boolean;
}

/** The password of an account. */
export function PasswordField({ isNew = false, isShown = false, onChange, ...field }: PasswordFieldProps) {
  const rules = {
    minLength: passwordMinimum,
    maxLength: 256,
    help: passwordRules,
  };
  return (
    <TextField
      {...field}
      {...(isNew ? rules : {})}
      label="Password"
      type={isShown ? 'text' : 'password'}
      name={isNew ? 'new-password' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      size="lg"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** A password that is chosen or typed with a way to read it. */
export function ReadablePassword(props: Omit<PasswordFieldProps, 'isShown'>) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <PasswordField {...props} isShown={isShown} />
      <CheckLine checked={isShown} onChange={({ target }) => setShown(target.checked)}>
        Show the password
      </CheckLine>
    </>
  );
}

interface AccountButtonProps {
  readonly form: Pick<FormState, 'isBusy'>;
  /** Its words while that is under way. */
  readonly acting: string;
  readonly children: ReactNode;
}

/** Submits a form of a page without chrome. */
export function AccountButton({ form, acting, children }: AccountButtonProps) {
  return (
    <Button type="submit" size="lg" isWide className="mt-1" isLoading={form.isBusy} loadingText={acting}>
      {children}
    </Button>
  );
}
