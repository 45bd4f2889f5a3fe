import { useState } from 'react';
import type { CompanyProvider } from '../../../contract/providers.ts';
import { useData } from '../../data/port.ts';
import { TextField, TitleField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { useForm } from '../../kit/use-form.ts';

interface ProviderDialogProps {
  /** The provider that is changed; a new one without. */
  readonly provider?: CompanyProvider;
  readonly onClose: () => void;
}

/** Asks for the settings of a provider. A secret that is stored is never shown: left empty it stays. */
export function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const { api, queryClient, queries } = useData();
  const [name, setName] = useState(provider?.name ?? '');
  const [issuer, setIssuer] = useState(provider?.issuer ?? '');
  const [clientId, setClientId] = useState(provider?.clientId ?? '');
  const [clientSecret, setClientSecret] = useState('');
  const [groupsClaim, setGroupsClaim] = useState(provider?.groupsClaim ?? '');
  const form = useForm(async () => {
    const body = {
      name,
      issuer: issuer.trim(),
      clientId: clientId.trim(),
      groupsClaim: groupsClaim.trim() || null,
    };
    if (provider === undefined) await api.addProvider({ body: { ...body, clientSecret } });
    else
      await api.changeProvider({
        params: { providerId: provider.id },
        body: clientSecret === '' ? body : { ...body, clientSecret },
      });
    await queryClient.invalidateQueries({ queryKey: queries.companyProviders.queryKey });
    onClose();
  });
  const isMissing = [name, issuer, clientId, provider === undefined ? clientSecret : 'kept'].some(
    (text) => text.trim() === '',
  );
  return (
    <FormDialog
      title={provider === undefined ? 'Add provider' : `Change ${provider.name}`}
      form={form}
      isChanged={
        clientSecret !== '' ||
        name !== (provider?.name ?? '') ||
        issuer !== (provider?.issuer ?? '') ||
        clientId !== (provider?.clientId ?? '') ||
        groupsClaim !== (provider?.groupsClaim ?? '')
      }
      act={provider === undefined ? 'Add provider' : 'Save'}
      acting="Saving..."
      reason={isMissing ? 'Fill in name, issuer, client id and client secret.' : undefined}
      onClose={onClose}
    >
      <TitleField
        help="Shown on the button after “Continue with”."
        value={name}
        error={form.issue('name')}
        onChange={setName}
      />
      <TextField
        label="Issuer"
        required
        maxLength={500}
        autoComplete="off"
        placeholder="https://id.example.org"
        value={issuer}
        error={form.issue('issuer')}
        onChange={({ target }) => setIssuer(target.value)}
      />
      <TextField
        label="Client id"
        required
        maxLength={500}
        autoComplete="off"
        value={clientId}
        error={form.issue('clientId')}
        onChange={({ target }) => setClientId(target.value)}
      />
      <TextField
        label="Client secret"
        type="password"
        required={provider === undefined}
        maxLength={1000}
        autoComplete="off"
        help={
          provider === undefined
            ? 'It is stored encrypted and never shown again.'
            : 'Leave it empty to keep the stored one.'
        }
        value={clientSecret}
        error={form.issue('clientSecret')}
        onChange={({ target }) => setClientSecret(target.value)}
      />
      <TextField
        label="Groups claim"
        maxLength={100}
        autoComplete="off"
        placeholder="groups"
        help="Empty: groups are not read."
        value={groupsClaim}
        error={form.issue('groupsClaim')}
        onChange={({ target }) => setGroupsClaim(target.value)}
      />
    </FormDialog>
  );
}
