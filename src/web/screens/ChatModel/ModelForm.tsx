import { useState } from 'react';
import {
  anthropicAddress,
  type ChatModel,
  type ModelProvider,
  modelProviders,
} from '../../../contract/chat-model.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { SaveRow } from '../../kit/SaveRow.tsx';
import { Select } from '../../kit/Select.tsx';
import { useForm } from '../../kit/use-form.ts';
import { providerTitles } from './provider-titles.ts';
import { dateTimeText } from '../../kit/date-time.ts';

const options = modelProviders.map((value) => ({ value, label: providerTitles[value] }));

/** Asks which model answers. A key that is stored is never shown: left empty it stays. */
export function ModelForm({ entered, environment }: Pick<ChatModel, 'entered' | 'environment'>) {
  const { services } = useCommands();
  const { api, queries, queryClient } = useData();
  const [provider, setProvider] = useState<ModelProvider>(entered?.provider ?? 'openai-compatible');
  const [baseUrl, setBaseUrl] = useState(entered?.baseUrl ?? '');
  const [model, setModel] = useState(entered?.model ?? '');
  const [apiKey, setApiKey] = useState('');
  const [asked, setAsked] = useState<'key' | 'all' | undefined>(undefined);
  const keep = (next: ChatModel) => {
    queryClient.setQueryData(queries.chatModel.queryKey, next);
    void queryClient.invalidateQueries({ queryKey: ['chat'] });
    setAsked(undefined);
  };
  const form = useForm(async () => {
    const key = apiKey.trim() === '' ? {} : { apiKey: apiKey.trim() };
    keep(await api.saveChatModel({ body: { provider, baseUrl, model, ...key } }));
    setApiKey('');
    services.toast.success('Model saved', { detail: model.trim() });
  });
  const isChanged =
    apiKey !== '' ||
    provider !== (entered?.provider ?? 'openai-compatible') ||
    baseUrl.trim() !== (entered?.baseUrl ?? '') ||
    model.trim() !== (entered?.model ?? '');
  const key = entered?.key ?? null;
  return (
    <form className={`max-w-120 ${formLook}`} onSubmit={form.submit} aria-label="Model of your organisation">
      <ErrorAlert error={form.failure} />
      <p className="text-text-2">
        {environment === null
          ? 'It answers in the chats of your clusters, after the rules.'
          : `It replaces ${environment.model} at ${environment.origin}, which the operator configured.`}
      </p>
      <Select
        label="Provider"
        options={options}
        value={provider}
        error={form.issue('provider')}
        onChange={(value) => {
          const next = modelProviders.find((one) => one === value) ?? provider;
          setProvider(next);
          if (next === 'anthropic' && baseUrl.trim() === '') setBaseUrl(anthropicAddress);
        }}
      />
      <TextField
        label="Address"
        required
        type="url"
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        placeholder="https://models.example.org/v1"
        help="The part before /chat/completions or /messages. Private addresses only if the operator allows them."
        value={baseUrl}
        error={form.issue('baseUrl')}
        onChange={({ target }) => setBaseUrl(target.value)}
      />
      <TextField
        label="Model"
        required
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        help="The provider’s name for it."
        value={model}
        error={form.issue('model')}
        onChange={({ target }) => setModel(target.value)}
      />
      <TextField
        label="API key"
        type="password"
        maxLength={2_000}
        autoComplete="off"
        help={
          key === null
            ? 'Stored encrypted and never shown again. Leave it empty if the provider needs none.'
            : `Set on ${dateTimeText(key.setAt)}, by ${key.setBy ?? 'somebody who is gone'}. Leave it empty to keep it.`
        }
        value={apiKey}
        error={form.issue('apiKey')}
        onChange={({ target }) => setApiKey(target.value)}
      />
      <SaveRow
        form={form}
        isChanged={isChanged}
        reason={
          baseUrl.trim() === '' || model.trim() === '' ? 'Fill in the address and the model.' : undefined
        }
      />
      {entered !== null && (
        <div className="flex flex-wrap gap-2">
          {key !== null && (
            <Button variant="secondary" onClick={() => setAsked('key')}>
              Remove the key…
            </Button>
          )}
          <Button variant="danger" onClick={() => setAsked('all')}>
            Remove the model…
          </Button>
        </div>
      )}
      {entered !== null && asked === 'key' && (
        <ConfirmDialog
          title="Remove the key?"
          act="Remove the key"
          acting="Removing..."
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            const { provider: of, baseUrl: at, model: named } = entered;
            keep(
              await api.saveChatModel({ body: { provider: of, baseUrl: at, model: named, apiKey: null } }),
            );
          }}
        >
          <p>The next questions are sent without a key. A provider that requires one will refuse them.</p>
        </ConfirmDialog>
      )}
      {asked === 'all' && (
        <ConfirmDialog
          title="Remove the model?"
          act="Remove the model"
          acting="Removing..."
          onClose={() => setAsked(undefined)}
          onConfirm={async () => keep(await api.removeChatModel({}))}
        >
          <p>
            Its address and its key are deleted.{' '}
            {environment === null
              ? 'From then on only the rules answer, and nothing leaves the console.'
              : `${environment.model} at ${environment.origin} answers from then on, as the operator configured.`}
          </p>
        </ConfirmDialog>
      )}
    </form>
  );
}
