import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { ErrorAlert } from './ErrorAlert.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What follows from it. */
  readonly children: ReactNode;
  /** The words of the button that does it, and while it is being done. */
  readonly act: string;
  readonly acting: string;
  /** It takes nothing away. */
  readonly isMild?: boolean;
  /** Something that is typed before it can be done, and why it cannot be done yet. */
  readonly field?: ReactNode;
  readonly reason?: string | undefined;
  /** Does it; a failure shows in the dialog. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is changed, as a rule taken away, naming what follows. */
export function ConfirmDialog({
  title,
  children,
  act,
  acting,
  isMild = false,
  field,
  reason,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const doing = useMutation({ mutationFn: onConfirm });
  return (
    <Dialog
      title={title}
      role="alertdialog"
      isDangerous={!isMild}
      onClose={onClose}
      description={<div className="flex flex-col gap-2">{children}</div>}
      footer={
        <>
          <span className="min-w-0 flex-1" />
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            acts
            variant={isMild ? 'primary' : 'danger'}
            isLoading={doing.isPending}
            loadingText={acting}
            reason={reason}
            onClick={() => doing.mutate()}
          >
            {act}
          </Button>
        </>
      }
    >
      {field}
      <ErrorAlert error={doing.error} />
    </Dialog>
  );
}
