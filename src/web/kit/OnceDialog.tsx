import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

interface OnceDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** Shows what is known only now, such as a secret: a press beside it does not close it, Done does. */
export function OnceDialog({ title, children, onClose }: OnceDialogProps) {
  return (
    <Dialog
      title={title}
      isSticky
      onClose={onClose}
      footer={
        <>
          <span className="min-w-0 flex-1" />
          <Button acts onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="flex min-w-0 flex-col gap-3.5">{children}</div>
    </Dialog>
  );
}
