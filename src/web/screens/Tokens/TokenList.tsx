import { useState } from 'react';
import type { ApiToken } from '../../../contract/tokens.ts';
import { useCommands } from '../../core/commands.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { dateText } from '../../kit/date-time.ts';
import { LastSeen } from '../Members/LastSeen.tsx';
import { scopeLabel } from './scope-label.ts';

interface TokenListProps {
  readonly label: string;
  readonly tokens: readonly ApiToken[];
  /** Revokes one and reads the list anew; throws a problem. */
  readonly onRevoke: (token: ApiToken) => Promise<void>;
}

/** API tokens with what they may do and when they were used, and a way to revoke each. */
export function TokenList({ label, tokens, onRevoke }: TokenListProps) {
  const { services } = useCommands();
  const [revoking, setRevoking] = useState<ApiToken | undefined>(undefined);
  return (
    <>
      <ul className="flex min-w-0 flex-col divide-y divide-hairline" aria-label={label}>
        {tokens.map((token) => (
          <li key={token.id} className="flex min-w-0 items-start gap-3 py-2.5 first:pt-0 last:pb-0">
            <div className="min-w-0 flex-1 wrap-anywhere">
              <b className="font-medium">{token.name}</b>{' '}
              {token.isExpired && <Badge tone="warn">Expired</Badge>}
              <span className="block text-text-2">{token.scopes.map(scopeLabel).join(', ')}</span>
              <span className="block text-xs text-text-3">
                {clustersOf(token)} · {token.isExpired ? 'expired' : 'expires'}{' '}
                <time dateTime={token.expiresAt}>{dateText(token.expiresAt)}</time> · last used{' '}
                <LastSeen at={token.lastUsedAt} isWithin />
                {token.lastUsedAddress !== '' && ` from ${token.lastUsedAddress}`}
              </span>
            </div>
            <Button
              size="sm"
              variant="secondary"
              aria-label={`Revoke ${token.name}…`}
              onClick={() => setRevoking(token)}
            >
              Revoke…
            </Button>
          </li>
        ))}
      </ul>
      {revoking !== undefined && (
        <ConfirmDialog
          title={`Revoke ${revoking.name}?`}
          act="Revoke"
          acting="Revoking..."
          onConfirm={async () => {
            await onRevoke(revoking);
            setRevoking(undefined);
            services.toast.success('Token revoked', { detail: revoking.name });
          }}
          onClose={() => setRevoking(undefined)}
        >
          <p>Scripts that use it stop working at once. A revoked token cannot be restored.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function clustersOf({ clusters }: ApiToken): string {
  if (clusters === null) return 'All clusters';
  if (clusters.length === 0) return 'No cluster that you still have access to';
  return clusters.map(({ name }) => name).join(', ');
}
