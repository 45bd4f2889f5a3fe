import { useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import { registerPasskey } from '../../data/passkey.ts';
import { useData } from '../../data/port.ts';
import { TitleField } from '../../kit/fields.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { useForm } from '../../kit/use-form.ts';
import { browserName } from './browser-name.ts';
import type { OwnPasskeys } from './own-passkeys.ts';

interface PasskeyDialogProps {
  readonly own: OwnPasskeys;
  readonly onClose: () => void;
}
type NamedPasskeyProps = Pick<PasskeyDialogProps, 'onClose'> & {
  readonly passkey: OwnPasskeys['passkeys'][number];
};

/** What a passkey says of itself is read again, with the sessions that it opened. */
function useReread(): () => Promise<void> {
  const { queryClient, queries } = useData();
  return async () => {
    await queryClient.invalidateQueries({ queryKey: queries.passkeys.queryKey });
    await queryClient.invalidateQueries({ queryKey: queries.ownSessions.queryKey });
  };
}

/** Names a passkey and has the browser make it. */
export function AddPasskeyDialog({ onClose }: Pick<PasskeyDialogProps, 'onClose'>) {
  const { services } = useCommands();
  const { api, queryClient, queries } = useData();
  const reread = useReread();
  const suggestion = browserName(navigator.userAgent);
  const [name, setName] = useState(suggestion);
  const form = useForm(async () => {
    const user = await registerPasskey(api, name);
    queryClient.setQueryData(queries.session.queryKey, user);
    await reread();
    services.toast.success('Passkey added', { detail: name });
    onClose();
  });
  return (
    <FormDialog
      title="Add passkey"
      form={form}
      isChanged={name !== suggestion}
      act="Add passkey"
      acting="Waiting for the device..."
      reason={name.trim() === '' ? 'Enter a name for the passkey.' : undefined}
      onClose={onClose}
    >
      <TitleField
        help="A name to recognise it by, such as the device that keeps it."
        value={name}
        error={form.issue('name')}
        onChange={setName}
      />
    </FormDialog>
  );
}

/** Gives a passkey another name. */
export function RenamePasskeyDialog({ passkey, onClose }: NamedPasskeyProps) {
  const { api } = useData();
  const reread = useReread();
  const [name, setName] = useState(passkey.name);
  const form = useForm(async () => {
    await api.renamePasskey({ params: { passkeyId: passkey.id }, body: { name } });
    await reread();
    onClose();
  });
  return (
    <FormDialog
      title={`Rename ${passkey.name}`}
      form={form}
      isChanged={name !== passkey.name}
      act="Rename"
      acting="Renaming..."
      reason={name.trim() === '' ? 'Enter a name for the passkey.' : undefined}
      onClose={onClose}
    >
      <TitleField value={name} error={form.issue('name')} onChange={setName} />
    </FormDialog>
  );
}

/** Asks before a passkey is removed, with what is left after the last one. */
export function RemovePasskeyDialog({ own, passkey, onClose }: PasskeyDialogProps & NamedPasskeyProps) {
  const { services } = useCommands();
  const { api } = useData();
  const reread = useReread();
  const isLast = own.passkeys.length === 1;
  return (
    <ConfirmDialog
      title={isLast ? `Remove ${passkey.name}, your last passkey?` : `Remove ${passkey.name}?`}
      act="Remove passkey"
      acting="Removing..."
      onConfirm={async () => {
        await api.removePasskey({ params: { passkeyId: passkey.id } });
        await reread();
        services.toast.success('Passkey removed', { detail: passkey.name });
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        {isLast
          ? 'After that you sign in by your password or a provider alone. '
          : 'You can no longer sign in with it. '}
        Other sessions that it opened end at once
        {own.requiredBy !== null && `, and API tokens of ${own.requiredBy} that were made in them`}. Delete it
        on its device too: the console cannot do that.
      </p>
    </ConfirmDialog>
  );
}
