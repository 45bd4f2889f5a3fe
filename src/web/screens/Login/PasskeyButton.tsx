import { KeyRound } from 'lucide-react';
import type { User } from '../../../contract/account.ts';
import { signInWithPasskey } from '../../data/passkey.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { useForm } from '../../kit/use-form.ts';
import { useEnter } from '../use-enter.ts';

interface PasskeyButtonProps {
  /** Whether it is the first thing to do on the page. */
  readonly isFirst?: boolean;
  /** Where it leads to; without it to where the person was. */
  readonly onEntered?: (user: User) => void;
}

/** Signs in with a passkey: the browser asks which, so no address is typed. */
export function PasskeyButton({ isFirst = false, onEntered }: PasskeyButtonProps) {
  const { api } = useData();
  const enter = useEnter();
  const form = useForm(async () => (onEntered ?? enter)(await signInWithPasskey(api)));
  return (
    <form className={formLook} onSubmit={form.submit} aria-label="Passkey">
      <ErrorAlert error={form.failure} />
      <Button
        type="submit"
        size="lg"
        variant={isFirst ? 'primary' : 'secondary'}
        isWide
        icon={<KeyRound size={16} />}
        isLoading={form.isBusy}
        loadingText="Waiting for the passkey..."
      >
        Sign in with a passkey
      </Button>
    </form>
  );
}
