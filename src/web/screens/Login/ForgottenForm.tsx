import { useState } from 'react';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { useForm } from '../../kit/use-form.ts';
import { AccountButton, EmailField } from '../account-fields.tsx';

/** Asks for a reset link by mail. @param isMailed whether the console sends mail */
export function ForgottenForm({
  isMailed,
  onBack,
}: {
  readonly isMailed: boolean;
  readonly onBack: () => void;
}) {
  const { api } = useData();
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const form = useForm(async () => {
    await api.requestReset({ body: { email: email.trim() } });
    setSent(true);
  });
  const back = (
    <Button variant="transparent" isWide onClick={onBack}>
      Back to sign-in
    </Button>
  );
  if (!isMailed || isSent) {
    return (
      <div className={formLook}>
        <Note tone="info" role="status">
          <Glyph tone="info" size={13} />
          <div>
            {isSent
              ? 'If an account has this confirmed address, a link is on its way to it. The link works for 60 minutes.'
              : 'This console sends no mail. Ask an Owner of your organisation, or the operator of this console, for a reset link.'}
          </div>
        </Note>
        {back}
      </div>
    );
  }
  return (
    <form className={formLook} onSubmit={form.submit} aria-label="Reset password">
      <ErrorAlert error={form.failure} />
      <EmailField
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do in this form
        autoFocus
        value={email}
        onChange={setEmail}
        error={form.issue('email')}
      />
      <AccountButton form={form} acting="Sending...">
        Mail a reset link
      </AccountButton>
      {back}
    </form>
  );
}
