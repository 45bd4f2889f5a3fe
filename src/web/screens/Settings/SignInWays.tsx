import type { ResponseOf } from '../../../contract/endpoint.ts';
import type { signInEndpoints } from '../../../contract/sign-in.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { LastSeen } from '../Members/LastSeen.tsx';
import { useOwnChange } from './use-own-change.ts';

const returnUrl = '/settings?section=sign-in';

/** The providers that are connected to the account, and those that can be. */
export function SignInWays({ ways }: { readonly ways: ResponseOf<(typeof signInEndpoints)['identities']> }) {
  const { api } = useData();
  const change = useOwnChange();
  const connect = async (provider: string) => {
    await change.make(`connect ${provider}`, async () => {
      const { url } = await api.connectIdentity({ body: { provider, returnUrl } });
      location.assign(url);
    });
  };
  return (
    <>
      <ul className="flex flex-col" aria-label="Ways to sign in">
        <li className="flex min-h-9 items-center border-b border-hairline py-1.5">
          Password
          <span className="ml-2 text-text-3">{ways.hasPassword ? 'set, changed under Profile' : 'none'}</span>
        </li>
        {ways.identities.map(({ id, label, company, email, lastUsedAt }) => (
          <li key={id} className="flex min-h-9 min-w-0 items-center gap-2 border-b border-hairline py-1.5">
            <div className="min-w-0 flex-1 wrap-anywhere">
              {label}
              {company !== null && <span className="text-text-2"> of {company}</span>}
              <span className="block text-xs text-text-3">
                {email ?? 'no verified address'}, used <LastSeen at={lastUsedAt} />
              </span>
            </div>
            <Button
              size="sm"
              variant="secondary"
              aria-label={`Disconnect ${label}`}
              isLoading={change.busy === `disconnect ${id}`}
              onClick={() =>
                void change.make(`disconnect ${id}`, () =>
                  api.disconnectIdentity({ params: { identityId: id } }),
                )
              }
            >
              Disconnect
            </Button>
          </li>
        ))}
      </ul>
      {ways.connectable.length > 0 && (
        <div className="flex min-w-0 flex-wrap gap-2">
          {ways.connectable.map(({ key, label }) => (
            <Button
              key={key}
              variant="secondary"
              isLoading={change.busy === `connect ${key}`}
              onClick={() => void connect(key)}
            >
              Connect {label}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
