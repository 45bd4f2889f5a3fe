import { useState } from 'react';
import type { ResponseOf } from '../../../contract/endpoint.ts';
import type { signInEndpoints } from '../../../contract/sign-in.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { LastSeen } from '../Members/LastSeen.tsx';
import { useOwnChange } from './use-own-change.ts';

const returnUrl = '/settings?section=sign-in';

type OwnWays = ResponseOf<(typeof signInEndpoints)['identities']>;

/** The providers that are connected to the account, and those that can be. */
export function SignInWays({ ways }: { readonly ways: OwnWays }) {
  const { api } = useData();
  const change = useOwnChange();
  const [leaving, setLeaving] = useState<OwnWays['identities'][number]>();
  const connect = (provider: string) =>
    change.make(`connect ${provider}`, async () => {
      location.assign((await api.connectIdentity({ body: { provider, returnUrl } })).url);
    });
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
                onClick={() => setLeaving(identity)}
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
              onClick={() => void connect(provider.key)}
            >
              Connect {provider.label}
            </Button>
          ))}
        </div>
      )}
      {leaving !== undefined && <DisconnectDialog identity={leaving} onClose={() => setLeaving(undefined)} />}
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
    <ConfirmDialog
      title={`Disconnect ${label}?`}
      act="Disconnect"
      acting="Disconnecting..."
      onConfirm={async () => {
        await api.disconnectIdentity({ params: { identityId: id } });
        await queryClient.invalidateQueries({ queryKey: queries.identities.queryKey });
        await queryClient.invalidateQueries({ queryKey: queries.ownSessions.queryKey });
        services.toast.success('Provider disconnected', { detail: label });
        onClose();
      }}
      onClose={onClose}
    >
      <p>You can no longer sign in with it. Other sessions that it opened end at once.</p>
    </ConfirmDialog>
  );
}
