import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { Spinner } from '../../kit/Spinner.tsx';
import { Unfinished } from './Unfinished.tsx';

interface FinalisingDialogProps {
  /** Why the server could not be told; undefined while it is being told. */
  readonly failure: unknown;
  readonly opener: Element | null;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

/** Waits while the server hears of what was paid. */
export function FinalisingDialog({ failure, opener, onRetry, onClose }: FinalisingDialogProps) {
  return (
    <Dialog
      title="Completing your subscription"
      isSticky
      opener={opener}
      onClose={onClose}
      footer={
        <>
          <span className="min-w-0 flex-1" />
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {failure === undefined ? (
        <Spinner label="Completing your subscription..." />
      ) : (
        <Unfinished failure={failure} onRetry={onRetry} />
      )}
    </Dialog>
  );
}
