import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { maxProviders } from '../../../contract/providers.ts';
import { failureParam } from '../../../contract/sign-in.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useData } from '../../data/port.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { SetList } from '../../kit/SetCard.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { signInSentence } from '../../features/identity/sign-in-failures.ts';
import { InstallationProviders } from './InstallationProviders.tsx';
import { PasskeyRule } from './PasskeyRule.tsx';
import { ProviderCard } from './ProviderCard.tsx';
import { ProviderDialog } from './ProviderDialog.tsx';

/** `/settings?section=company-sign-in`: the identity providers of the organisation, for its Owners. */
export function Screen({ command }: ScreenProps) {
  const { queries } = useData();
  const [search] = useViewSearch();
  const providers = useQuery(queries.companyProviders);
  const isLong = useLongWait(providers.isPending);
  const [isAdding, setAdding] = useState(false);
  const count = providers.data?.length ?? 0;
  return (
    <SettingsPage
      command={command}
      about="OpenID Connect providers that sign people in to this organisation alone"
      actions={
        <Button
          reason={
            count >= maxProviders ? `An organisation has at most ${maxProviders} providers.` : undefined
          }
          onClick={() => setAdding(true)}
        >
          Add provider…
        </Button>
      }
    >
      <SetList>
        <ErrorAlert message={signInSentence(search[failureParam])} />
        <ErrorAlert
          title="Could not load the providers."
          error={providers.error}
          onRetry={() => void providers.refetch()}
          isRetrying={providers.isFetching}
        />
        {providers.isPending && isLong && <SkeletonRows isFramed />}
        {providers.data?.length === 0 && (
          <p className="text-text-2">
            No provider yet. People sign in by password or by a provider of this console.
          </p>
        )}
        {providers.data?.map((provider) => (
          <ProviderCard key={provider.id} provider={provider} />
        ))}
        <InstallationProviders />
        <PasskeyRule />
      </SetList>
      {isAdding && <ProviderDialog onClose={() => setAdding(false)} />}
    </SettingsPage>
  );
}
