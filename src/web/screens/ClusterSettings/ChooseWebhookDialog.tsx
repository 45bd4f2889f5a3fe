import type { Webhook } from '../../../contract/webhooks.ts';
import { type WebhookAct, webhookActs } from '../../../registry/commands/webhook-acts.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { plainTitleOf } from './webhook-titles.ts';

interface ChooseWebhookDialogProps {
  readonly act: WebhookAct;
  readonly webhooks: readonly Webhook[];
  readonly onChoose: (webhook: Webhook) => void;
  readonly onClose: () => void;
}

/** Asks which webhook is meant, where a command did not say. */
export function ChooseWebhookDialog({ act, webhooks, onChoose, onClose }: ChooseWebhookDialogProps) {
  return (
    <Dialog
      title={plainTitleOf(webhookActs[act].title)}
      onClose={onClose}
      footer={
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      {webhooks.length === 0 ? (
        <p className="text-text-2">You have no webhook on this cluster. Add one first.</p>
      ) : (
        <ul className="flex min-w-0 flex-col gap-2" aria-label="Your webhooks">
          {webhooks.map((webhook) => (
            <li key={webhook.id}>
              <Button variant="secondary" className="wrap-anywhere" onClick={() => onChoose(webhook)}>
                {webhook.origin}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
