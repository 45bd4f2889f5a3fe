import { useId } from 'react';
import { api } from '../../../contract/api.ts';
import { Button } from '../../kit/Button.tsx';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { labelLook } from '../../kit/fields.tsx';

interface MadeTokenDialogProps {
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}

const outputLook =
  'mono block rounded-sm border border-border bg-sunken px-2 py-1.5 text-xs wrap-anywhere whitespace-pre-wrap select-all';

/** Shows a token, the only time it is known, and how it is used. */
export function MadeTokenDialog({ name, secret, onClose }: MadeTokenDialogProps) {
  const id = useId();
  const example = `curl -H "Authorization: Bearer $WHEELHOUSE_TOKEN" \\\n  ${location.origin}${api.clusters.path}`;
  return (
    <Dialog
      title={`API token ${name}`}
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
      <div className="flex min-w-0 flex-col gap-3.5">
        <div className="flex min-w-0 flex-col gap-1">
          <label htmlFor={`${id}-token`} className={labelLook}>
            Token, shown only now
          </label>
          <output id={`${id}-token`} className={outputLook}>
            {secret}
          </output>
          <p className="text-xs text-text-3">
            Whoever has it acts as you, as far as its scopes go. Keep it where secrets are kept; if it is
            lost, revoke it and make another.
          </p>
        </div>
        <div>
          <CopyButton variant="secondary" text={() => secret}>
            Copy token
          </CopyButton>
        </div>
        <div className="flex min-w-0 flex-col gap-1">
          <label htmlFor={`${id}-example`} className={labelLook}>
            Example: the clusters that it reaches
          </label>
          <output id={`${id}-example`} className={outputLook}>
            {example}
          </output>
        </div>
        <div>
          <CopyButton variant="secondary" text={() => example}>
            Copy example
          </CopyButton>
        </div>
      </div>
    </Dialog>
  );
}
