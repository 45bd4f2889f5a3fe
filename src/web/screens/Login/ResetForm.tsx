import { useState } from 'react';
import { passwordRules } from '../../../contract/account.ts';
import { otherWaysText } from '../../../contract/reset.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { AccountButton } from '../account-fields.tsx';
import { useForm } from '../../kit/use-form.ts';
import { dropResetLinkToken, resetLinkToken } from '../../routing/address.ts';

/** Sets a new password by the reset link that the page was opened with. */
export function ResetForm({ onDone }: { readonly onDone: () => void }) {
  const { services } = useCommands();
  const { api, queryClient, queries } = useData();
  const [password, setPassword] = useState('');
  const leave = () => {
    dropResetLinkToken();
    onDone();
  };
  const form = useForm(async () => {
    const left = await api.resetPassword({ body: { token: resetLinkToken() ?? '', password } });
    // Every session of the account is over, that of this browser too.
    await queryClient.invalidateQueries({ queryKey: queries.session.queryKey });
    const others = otherWaysText(left);
    services.toast.success('Password changed', {
      detail: others === undefined ? 'Sign in with the new one.' : `Sign in with the new one. ${others}`,
      ...(others === undefined ? {} : { duration: Number.POSITIVE_INFINITY }),
    });
    leave();
  });
  return (
    <form className={formLook} onSubmit={form.submit} aria-label="New password">
      <ErrorAlert error={form.failure} />
      <TextField
        label="New password"
        type="password"
        name="next"
        autoComplete="new-password"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do in this form
        autoFocus
        required
        maxLength={256}
        help={`${passwordRules} This ends every session and API token of the account.`}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={form.issue('password')}
      />
      <AccountButton form={form} acting="Changing...">
        Change password
      </AccountButton>
      <Button variant="transparent" isWide onClick={leave}>
        Sign in instead
      </Button>
    </form>
  );
}
