import { useState } from 'react';
import type { ResponseOf } from '../../../contract/endpoint.ts';
import type { signInEndpoints } from '../../../contract/sign-in.ts';
import { tellFailure } from '../../../registry/execute.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { LastSeen } from '../Members/LastSeen.tsx';
import { ProofDialog } from './ProofDialog.tsx';
import { useOwnChange } from './use-own-change.ts';

const returnUrl = '/settings?section=sign-in';

type OwnWays = ResponseOf<(typeof signInEndpoints)['identities']>;

/** A change that a dialog asks about. */
type WayChange =
  | { readonly act: 'connect'; readonly provider: OwnWays['connectable'][number] }
  | { readonly act: 'disconnect'; readonly identity: OwnWays['identities'][number] };

/** The providers that are connected to the account, and those that can be. */
export function SignInWays({ ways }: { readonly ways: OwnWays }) {
  const { services } = useCommands();
  const { api, queryClient, queries } = useData();
  const change = useOwnChange();
  const [asked, setAsked] = useState<WayChange>();
  const go = async (provider: string) => {
    location.assign((await api.connectIdentity({ body: { provider, returnUrl } })).url);
  };
  const connect = async (provider: OwnWays['connectable'][number]) => {
    try {
      const { proof } = await queryClient.fetchQuery({ ...queries.passkeys, staleTime: 0 });
      if (proof === 'none') await change.make(`connect ${provider.key}`, () => go(provider.key));
      else setAsked({ act: 'connect', provider });
    } catch (error) {
      tellFailure(error, 'The provider could not be connected.', services);
    }
  };
  return (
    <>
      <ul className="flex flex-col" aria-label="Ways to sign in">
        <li className="flex min-h-9 items-center border-b border-hairline py-1.5">
          Password
          <span className="ml-2 text-text-3">{ways.hasPassword ? 'set, changed under Profile' : 'none'}</span>
        </li>
        {ways.identities.map((identity) => {
          const { id, label, company, email, lastUsedAt } = identity;
          return (
            <li key={id} className="flex min-h-9 min-w-0 items-center gap-2 border-b border-hairline py-1.5">
              <div className="min-w-0 flex-1 wrap-anywhere">
                {label}
                {company !== null && <span className="text-text-2"> of {company}</span>}
                <span className="block text-xs text-text-3">
                  {email ?? 'no verified address'}, used <LastSeen at={lastUsedAt} isWithin />
                </span>
              </div>
              <Button
                size="sm"
                variant="secondary"
                aria-label={`Disconnect ${label}`}
                onClick={() => setAsked({ act: 'disconnect', identity })}
              >
                Disconnect…
              </Button>
            </li>
          );
        })}
      </ul>
      {ways.connectable.length > 0 && (
        <div className="flex min-w-0 flex-wrap gap-2">
          {ways.connectable.map((provider) => (
            <Button
              key={provider.key}
              variant="secondary"
              isLoading={change.busy === `connect ${provider.key}`}
              onClick={() => void connect(provider)}
            >
              Connect {provider.label}
            </Button>
          ))}
        </div>
      )}
      {asked?.act === 'connect' && (
        <ProofDialog
          title={`Connect ${asked.provider.label}?`}
          description={
            <p>
              You can then sign in with it. Your browser goes to the provider and comes back to this page.
            </p>
          }
          act="Connect"
          acting="Connecting..."
          run={() => go(asked.provider.key)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.act === 'disconnect' && (
        <DisconnectDialog identity={asked.identity} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

/** Asks before a provider is taken away. */
function DisconnectDialog({
  identity: { id, label },
  onClose,
}: {
  readonly identity: OwnWays['identities'][number];
  readonly onClose: () => void;
}) {
  const { services } = useCommands();
  const { api, queryClient, queries } = useData();
  return (
    <ProofDialog
      title={`Disconnect ${label}?`}
      description={<p>You can no longer sign in with it. Other sessions that it opened end at once.</p>}
      act="Disconnect"
      acting="Disconnecting..."
      run={async () => {
        await api.disconnectIdentity({ params: { identityId: id } });
        await queryClient.invalidateQueries({ queryKey: queries.identities.queryKey });
        await queryClient.invalidateQueries({ queryKey: queries.ownSessions.queryKey });
        services.toast.success('Provider disconnected', { detail: label });
      }}
      onClose={onClose}
    />
  );
}
