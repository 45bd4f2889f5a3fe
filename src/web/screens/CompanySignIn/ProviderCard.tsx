import { useState } from 'react';
import type { CompanyProvider } from '../../../contract/providers.ts';
import { tellFailure } from '../../../registry/commands/execute.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { GroupTeams } from './GroupTeams.tsx';
import { ProviderDialog } from './ProviderDialog.tsx';
import { dateTimeText } from '../../kit/date-time.ts';

/** One provider: its addresses, its test, whether it is enforced, and its groups. */
export function ProviderCard({ provider }: { readonly provider: CompanyProvider }) {
  const { services } = useCommands();
  const { api, queryClient, queries } = useData();
  const [open, setOpen] = useState<'change' | 'enforce' | 'remove' | undefined>(undefined);
  const [isTesting, setTesting] = useState(false);
  const params = { providerId: provider.id };
  const close = () => setOpen(undefined);
  const reread = () => queryClient.invalidateQueries({ queryKey: queries.companyProviders.queryKey });
  const test = async () => {
    setTesting(true);
    try {
      location.assign((await api.testProvider({ params })).url);
    } catch (error) {
      tellFailure(error, 'The test could not begin.', services);
      setTesting(false);
    }
  };
  const mapGroups = async (groupTeams: CompanyProvider['groupTeams']) => {
    await api.changeProvider({ params, body: { groupTeams } });
    await reread();
  };
  const setEnforced = async (isEnforced: boolean) => {
    await api.changeProvider({ params, body: { isEnforced } });
    await reread();
    close();
  };
  return (
    <SetCard title={provider.name}>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-text-2">Issuer</dt>
        <dd className="mono wrap-anywhere">{provider.issuer}</dd>
        <dt className="text-text-2">Redirect address</dt>
        <dd className="mono wrap-anywhere">{provider.redirectUri}</dd>
        <dt className="text-text-2">Sign-in link</dt>
        <dd className="mono wrap-anywhere">{provider.signInUrl}</dd>
        <dt className="text-text-2">State</dt>
        <dd>
          {provider.isEnforced ? (
            <Badge tone="ok">Enforced</Badge>
          ) : provider.testedAt === null ? (
            'Not tested'
          ) : (
            `Tested ${dateTimeText(provider.testedAt)}`
          )}
        </dd>
      </dl>
      <div className="flex min-w-0 flex-wrap gap-2">
        <CopyButton text={() => provider.redirectUri}>Copy redirect address</CopyButton>
        <CopyButton text={() => provider.signInUrl}>Copy sign-in link</CopyButton>
        <Button variant="secondary" isLoading={isTesting} onClick={() => void test()}>
          Test sign-in
        </Button>
        <Button
          variant="secondary"
          reason={
            provider.testedAt === null && !provider.isEnforced
              ? 'Test the sign-in with these settings first.'
              : undefined
          }
          onClick={() => setOpen('enforce')}
        >
          {provider.isEnforced ? 'Stop enforcing…' : 'Enforce…'}
        </Button>
        <Button variant="secondary" onClick={() => setOpen('change')}>
          Change…
        </Button>
        <Button variant="danger" onClick={() => setOpen('remove')}>
          Remove…
        </Button>
      </div>
      {provider.groupsClaim !== null && (
        <GroupTeams of={provider.name} groupTeams={provider.groupTeams} save={mapGroups} />
      )}
      {open === 'change' && <ProviderDialog provider={provider} onClose={close} />}
      {open === 'enforce' && (
        <ConfirmDialog
          title={provider.isEnforced ? `Stop enforcing ${provider.name}?` : `Enforce ${provider.name}?`}
          act={provider.isEnforced ? 'Stop enforcing' : 'Enforce'}
          acting="Saving..."
          onClose={close}
          onConfirm={() => setEnforced(!provider.isEnforced)}
        >
          <p>
            {provider.isEnforced
              ? 'People of the organisation may sign in another way again.'
              : 'Every session of the organisation that this provider did not open ends at once, yours too. People who have not connected it cannot get in. The operator of the console can always create a local Owner.'}
          </p>
        </ConfirmDialog>
      )}
      {open === 'remove' && (
        <ConfirmDialog
          title={`Remove ${provider.name}?`}
          act="Remove provider"
          acting="Removing..."
          onClose={close}
          onConfirm={async () => {
            await api.removeProvider({ params });
            await reread();
          }}
        >
          <p>Its sessions end, and team memberships that its groups gave are removed.</p>
        </ConfirmDialog>
      )}
    </SetCard>
  );
}
