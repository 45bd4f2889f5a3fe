import { useSignIn } from '../../data/sign-in.ts';
import { useCell } from '../../core/state/state.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { useForm } from '../../kit/use-form.ts';

/** Says that the session may live on after a logout that the server did not confirm, and tries it again. */
export function Unconfirmed() {
  const { unconfirmed, endSession } = useSignIn();
  const isUnconfirmed = useCell(unconfirmed);
  const form = useForm(endSession);
  if (!isUnconfirmed) return null;
  return (
    <form className="flex min-w-0 flex-col gap-2" onSubmit={form.submit} aria-label="Logout">
      <Note tone="warn" role="status">
        <Glyph tone="warn" size={13} />
        <div>
          The server did not confirm that you are signed out. Your session may go on: whoever opens this
          console in this browser may be signed in as you.
        </div>
      </Note>
      <ErrorAlert error={form.failure} />
      <Button type="submit" variant="secondary" isWide isLoading={form.isBusy} loadingText="Logging out...">
        Try to log out again
      </Button>
    </form>
  );
}
