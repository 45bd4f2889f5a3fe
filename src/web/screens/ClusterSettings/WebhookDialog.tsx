import { useState } from 'react';
import {
  type Webhook,
  type WebhookEvent,
  webhookEvents,
  type WebhookFormat,
  webhookFormats,
} from '../../../contract/webhooks.ts';
import { useData } from '../../data/port.ts';
import { WebhookChanges } from '../../data/webhook-changes.ts';
import { FieldGroup } from '../../kit/FieldGroup.tsx';
import { TextField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { Select } from '../../kit/Select.tsx';
import { useForm } from '../../kit/use-form.ts';
import { formatTitles } from './webhook-titles.ts';

const formats = webhookFormats.map((value) => ({ value, label: formatTitles[value] }));

interface WebhookDialogProps {
  readonly clusterId: number;
  /** The one that is changed; a new one without it. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
  /** @param secret of a new one */
  readonly onSaved: (origin: string, secret: string | undefined) => Promise<void>;
}

/** Asks where to send what, and in which form. */
export function WebhookDialog({ clusterId, webhook, onClose, onSaved }: WebhookDialogProps) {
  const { api } = useData();
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [format, setFormat] = useState<WebhookFormat>(webhook?.format ?? 'standard');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(webhook?.events));
  const [isChanged, setChanged] = useState(false);
  const form = useForm(async () => {
    const events: WebhookEvent[] = webhookEvents.flatMap(([type]) => (chosen.has(type) ? [type] : []));
    if (webhook === undefined) {
      const changes = new WebhookChanges(api, clusterId);
      const own = secret.trim() === '' ? {} : { secret: secret.trim() };
      const added = await changes.add({ url: url.trim(), events, format, ...own });
      if (changes.failure !== undefined) throw changes.failure;
      if (added !== null) await onSaved(added.origin, added.secret);
      return;
    }
    const { origin } = await api.changeWebhook({
      params: { clusterId, webhookId: webhook.id },
      body: { events, format, ...(url.trim() === '' ? {} : { url: url.trim() }) },
    });
    await onSaved(origin, undefined);
  });
  const reason =
    webhook === undefined && url.trim() === ''
      ? 'Enter the address first.'
      : chosen.size === 0
        ? 'Choose at least one event.'
        : undefined;
  const toggle = (type: string, isIn: boolean) => {
    const next = new Set(chosen);
    if (isIn) next.add(type);
    else next.delete(type);
    setChosen(next);
    setChanged(true);
  };
  return (
    <FormDialog
      title={webhook === undefined ? 'Add webhook' : `Change ${webhook.origin}`}
      width="wide"
      form={form}
      isChanged={isChanged}
      act={webhook === undefined ? 'Add webhook' : 'Save'}
      acting={webhook === undefined ? 'Adding...' : 'Saving...'}
      reason={reason}
      onClose={onClose}
    >
      <TextField
        label="Address"
        required={webhook === undefined}
        type="url"
        autoComplete="off"
        spellCheck={false}
        value={url}
        placeholder="https://hooks.example.org/…"
        error={form.issue('url')}
        help={
          webhook === undefined
            ? 'Stored encrypted: only its scheme and host are shown again.'
            : 'Leave it empty to keep the address.'
        }
        onChange={({ target }) => {
          setUrl(target.value);
          setChanged(true);
        }}
      />
      {webhook === undefined && (
        <TextField
          label="Signing secret (optional)"
          autoComplete="off"
          spellCheck={false}
          value={secret}
          placeholder="whsec_…"
          error={form.issue('secret')}
          help="Leave it empty to get one: it is shown once, after this."
          onChange={({ target }) => {
            setSecret(target.value);
            setChanged(true);
          }}
        />
      )}
      <Select
        label="Form of the messages"
        options={formats}
        value={format}
        onChange={(value) => {
          setFormat(formats.find((one) => one.value === value)?.value ?? 'standard');
          setChanged(true);
        }}
      />
      <FieldGroup label="Tell of" className="narrow:gap-0">
        {webhookEvents.map(([type, title]) => (
          <CheckLine
            key={type}
            className="min-w-0 py-0.5 whitespace-normal narrow:min-h-9"
            checked={chosen.has(type)}
            onChange={({ target }) => toggle(type, target.checked)}
          >
            {title}
          </CheckLine>
        ))}
      </FieldGroup>
    </FormDialog>
  );
}
