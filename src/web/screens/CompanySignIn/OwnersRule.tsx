import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useData } from '../../data/port.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';

/** The rule that the Owners of the organisation sign in with a passkey. */
export function OwnersRule() {
  const { api, queries, queryClient } = useData();
  const rule = useQuery(queries.passkeyRule);
  const [isAsking, setAsking] = useState(false);
  const { data } = rule;
  const without = data?.ownersWithout ?? [];
  return (
    <SetCard title="Passkeys of Owners">
      <ErrorAlert
        title="Could not load the rule for passkeys."
        error={rule.error}
        onRetry={() => void rule.refetch()}
        isRetrying={rule.isFetching}
      />
      {data !== undefined && (
        <>
          <p className="text-text-2">
            {data.isOn ? (
              <>
                <Badge tone="ok">On</Badge> Owners open this organisation with a passkey alone. Sessions of a
                provider that is enforced are exempt.
              </>
            ) : (
              'Owners sign in as everybody does. With this rule they need a passkey to open the organisation.'
            )}
          </p>
          <p className="wrap-anywhere text-text-2">
            {without.length === 0
              ? 'Every Owner has a passkey.'
              : `Without a passkey: ${without.join(', ')}. ${
                  data.isOn
                    ? 'They have to register one at their next sign-in.'
                    : 'With this rule they have to register one at their next sign-in.'
                }`}
          </p>
          <div>
            <Button
              variant="secondary"
              reason={
                data.isOn || data.cameByPasskey
                  ? undefined
                  : 'Sign in with a passkey first. You register one under Sign-in and sessions.'
              }
              onClick={() => setAsking(true)}
            >
              {data.isOn ? 'Stop requiring passkeys…' : 'Require passkeys of Owners…'}
            </Button>
          </div>
        </>
      )}
      {isAsking && data !== undefined && (
        <ConfirmDialog
          title={data.isOn ? 'Stop requiring passkeys of Owners?' : 'Require passkeys of Owners?'}
          act={data.isOn ? 'Stop requiring' : 'Require passkeys'}
          acting="Saving..."
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const next = await api.setPasskeyRule({ body: { isOn: !data.isOn } });
            queryClient.setQueryData(queries.passkeyRule.queryKey, next);
            setAsking(false);
          }}
        >
          <p>
            {data.isOn
              ? 'Owners may open the organisation by password and by provider again.'
              : 'Sessions of Owners that no passkey opened end at once. Owners without one are let in by password only to register one. Owners who lose their passkeys need the help of another Owner or of the operator.'}
          </p>
        </ConfirmDialog>
      )}
    </SetCard>
  );
}
