import { type ComponentProps, type ReactNode, useId } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { ErrorAlert } from './ErrorAlert.tsx';
import { formLook } from './fields.tsx';
import type { FormState } from './use-form.ts';

interface FormDialogProps
  extends Pick<ComponentProps<typeof Dialog>, 'title' | 'description' | 'width' | 'isDangerous' | 'onClose'> {
  readonly form: FormState;
  /** Whether something was typed or chosen that closing would lose. */
  readonly isChanged: boolean;
  /** The words of the button that submits it, and while that is under way. */
  readonly act: string;
  readonly acting: string;
  /** Why it cannot be submitted yet. */
  readonly reason?: string | undefined;
  /** A further button, at the other end of the footer. */
  readonly aside?: ReactNode;
  /** The fields. */
  readonly children: ReactNode;
}

/** A form in a dialog: its failure above its fields, Cancel and what submits it below. */
export function FormDialog(props: FormDialogProps) {
  const {
    form,
    isChanged,
    act,
    acting,
    reason,
    aside,
    isDangerous = false,
    children,
    onClose,
    ...rest
  } = props;
  const id = useId();
  return (
    <Dialog
      {...rest}
      isDangerous={isDangerous}
      role={isDangerous ? 'alertdialog' : 'dialog'}
      onClose={onClose}
      isSticky={isChanged}
      footer={
        <>
          {aside}
          <span className="min-w-0 flex-1" />
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            acts
            type="submit"
            form={id}
            variant={isDangerous ? 'danger' : 'primary'}
            isLoading={form.isBusy}
            loadingText={acting}
            reason={reason}
          >
            {act}
          </Button>
        </>
      }
    >
      <form id={id} className={formLook} onSubmit={form.submit}>
        <ErrorAlert error={form.failure} />
        {children}
      </form>
    </Dialog>
  );
}
