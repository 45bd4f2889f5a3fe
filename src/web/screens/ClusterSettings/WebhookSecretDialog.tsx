import { useId } from 'react';
import { Button } from '../../kit/Button.tsx';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { labelLook } from '../../kit/fields.tsx';

interface WebhookSecretDialogProps {
  readonly origin: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows the secret of a webhook, the only time it is known. */
export function WebhookSecretDialog({ origin, secret, onClose }: WebhookSecretDialogProps) {
  const id = useId();
  return (
    <Dialog
      title={`Secret of ${origin}`}
      isSticky
      onClose={onClose}
      footer={
        <>
          <CopyButton variant="secondary" text={() => secret}>
            Copy secret
          </CopyButton>
          <span className="min-w-0 flex-1" />
          <Button acts onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="flex min-w-0 flex-col gap-1">
        <label htmlFor={id} className={labelLook}>
          Secret, shown only now
        </label>
        <output
          id={id}
          className="mono block rounded-sm border border-border bg-sunken px-2 py-1.5 text-xs wrap-anywhere select-all"
        >
          {secret}
        </output>
        <p className="text-xs text-text-3">
          The receiver checks the signature of each message with it, as Standard Webhooks says. Slack and
          Microsoft Teams need no secret.
        </p>
      </div>
    </Dialog>
  );
}
