import { useState } from 'react';
import type { Webhook } from '../../../contract/webhooks.ts';
import {
  addingWebhook,
  isWebhookAct,
  type WebhookAct,
  webhookActs,
} from '../../../registry/commands/webhook-acts.ts';
import { useData } from '../../data/port.ts';
import { WebhookChanges } from '../../data/webhook-changes.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { useForm } from '../../kit/use-form.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { ChooseWebhookDialog } from './ChooseWebhookDialog.tsx';
import { DeliveriesDialog } from './DeliveriesDialog.tsx';
import { eventTitles, formatTitles, plainTitleOf } from './webhook-titles.ts';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookSecretDialog } from './WebhookSecretDialog.tsx';
import { dateTimeText } from '../../kit/date-time.ts';

interface WebhooksProps {
  readonly clusterId: number;
  readonly webhooks: readonly Webhook[];
}

type Open =
  | { readonly what: 'add' }
  | { readonly what: WebhookAct; readonly webhook: Webhook }
  | { readonly what: 'choose'; readonly act: WebhookAct }
  | { readonly what: 'secret'; readonly origin: string; readonly secret: string };

/** A person's webhooks on a cluster: where the console tells them of what happens. */
export function Webhooks({ clusterId, webhooks }: WebhooksProps) {
  const { api, queries, queryClient } = useData();
  const [search, setSearch] = useViewSearch();
  const [chosen, setOpen] = useState<Open | undefined>(undefined);
  const open = chosen ?? askedOf(search['webhook'], webhooks);
  const endAsking = () => {
    if (search['webhook'] !== undefined) setSearch({ webhook: undefined });
  };
  const close = () => {
    setOpen(undefined);
    endAsking();
  };
  const refresh = () => queryClient.invalidateQueries({ queryKey: queries.userSettings(clusterId).queryKey });
  return (
    <SetCard title="Webhooks">
      <p className="text-text-2">
        The console posts what happens on this cluster to an address of yours, limited to what you may view.
      </p>
      {webhooks.length > 0 && (
        <ul className="flex min-w-0 flex-col divide-y divide-hairline" aria-label="Your webhooks">
          {webhooks.map((webhook) => (
            <WebhookLine key={webhook.id} webhook={webhook} onOpen={(what) => setOpen({ what, webhook })} />
          ))}
        </ul>
      )}
      <div>
        <Button variant="secondary" onClick={() => setOpen({ what: 'add' })}>
          Add webhook…
        </Button>
      </div>
      {open?.what === 'add' && (
        <WebhookDialog
          clusterId={clusterId}
          onClose={close}
          onSaved={async (origin, secret) => {
            await refresh();
            if (secret === undefined) close();
            else setOpen({ what: 'secret', origin, secret });
          }}
        />
      )}
      {open?.what === 'change' && (
        <WebhookDialog
          clusterId={clusterId}
          webhook={open.webhook}
          onClose={close}
          onSaved={async () => {
            await refresh();
            close();
          }}
        />
      )}
      {open?.what === 'secret' && <WebhookSecretDialog {...open} onClose={close} />}
      {open?.what === 'log' && (
        <DeliveriesDialog clusterId={clusterId} webhook={open.webhook} onClose={close} />
      )}
      {open?.what === 'renew' && (
        <RenewDialog
          clusterId={clusterId}
          webhook={open.webhook}
          onRenewed={async (secret) => {
            await refresh();
            setOpen({ what: 'secret', origin: open.webhook.origin, secret });
          }}
          onClose={close}
        />
      )}
      {open?.what === 'choose' && (
        <ChooseWebhookDialog
          act={open.act}
          webhooks={webhooks}
          onChoose={(webhook) => setOpen({ what: open.act, webhook })}
          onClose={close}
        />
      )}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete the webhook to ${open.webhook.origin}?`}
          act="Delete"
          acting="Deleting..."
          onConfirm={async () => {
            const changes = new WebhookChanges(api, clusterId);
            await changes.delete(open.webhook.id);
            if (changes.failure !== undefined) throw changes.failure;
            await refresh();
            close();
          }}
          onClose={close}
        >
          <p>Nothing more is sent to it. Waiting messages and the log of deliveries are deleted.</p>
        </ConfirmDialog>
      )}
    </SetCard>
  );
}

/** What the address of the page asks for: a command put it there. */
function askedOf(asked: string | undefined, webhooks: readonly Webhook[]): Open | undefined {
  if (asked === addingWebhook) return { what: 'add' };
  if (!isWebhookAct(asked)) return undefined;
  const [only, ...others] = webhooks;
  return only === undefined || others.length > 0
    ? { what: 'choose', act: asked }
    : { what: asked, webhook: only };
}

/** What the button of an act is called, beside its own words. */
const labelOf = (act: WebhookAct, origin: string): string => {
  const words = plainTitleOf(webhookActs[act].button);
  return act === 'log' || act === 'renew' ? `${words} of ${origin}…` : `${words} ${origin}…`;
};

function WebhookLine({
  webhook,
  onOpen,
}: {
  readonly webhook: Webhook;
  readonly onOpen: (what: WebhookAct) => void;
}) {
  const { origin, format, events, disabledReason, previousUntil } = webhook;
  return (
    <li className="flex min-w-0 flex-col gap-1.5 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 wrap-anywhere">
        <b className="font-medium">{origin}</b> <Badge>{formatTitles[format]}</Badge>{' '}
        {disabledReason !== null && <Badge tone="bad">Disabled</Badge>}
        <span className="block text-text-2">
          {events.map((type) => eventTitles[type] ?? type).join(' · ')}
        </span>
        {disabledReason !== null && (
          <span className="block text-xs text-bad-fg">{disabledReason} Change it to enable it again.</span>
        )}
        {previousUntil !== null && (
          <span className="block text-xs text-text-3">
            The previous secret works until{' '}
            <time dateTime={previousUntil}>{dateTimeText(previousUntil)}</time>.
          </span>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {Object.entries(webhookActs).map(([key, { button }]) => {
          const act = key as WebhookAct;
          return (
            <Button
              key={act}
              size="sm"
              variant="secondary"
              aria-label={labelOf(act, origin)}
              onClick={() => onOpen(act)}
            >
              {button}
            </Button>
          );
        })}
      </div>
    </li>
  );
}

interface RenewDialogProps {
  readonly clusterId: number;
  readonly webhook: Webhook;
  readonly onRenewed: (secret: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before a webhook signs with another secret. */
function RenewDialog({ clusterId, webhook: { id, origin }, onRenewed, onClose }: RenewDialogProps) {
  const { api } = useData();
  const form = useForm(async () => {
    const { secret } = await api.changeWebhookSecret({ params: { clusterId, webhookId: id } });
    await onRenewed(secret);
  });
  return (
    <FormDialog
      title={`Change the secret of ${origin}?`}
      form={form}
      isChanged={false}
      act="Change secret"
      acting="Changing..."
      onClose={onClose}
    >
      <p>Messages are signed with both secrets for 24 hours, then only with the new one.</p>
    </FormDialog>
  );
}
