import type { ReactNode } from 'react';
import { passwordMinimum } from '../../contract/account.ts';
import { TextField } from '../kit/fields.tsx';

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

/** The e-mail address that somebody signs in with. */
export function EmailField({ onChange, ...field }: AccountFieldProps) {
  return (
    <TextField
      {...field}
      label="E-mail"
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
    help: `At least ${passwordMinimum} characters. A few words in a row are fine.`,
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
