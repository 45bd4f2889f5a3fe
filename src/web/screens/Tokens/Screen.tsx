import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useData } from '../../data/port.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { State } from '../../kit/State.tsx';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { useTool } from '../../workspace/use-tool.ts';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { TokenList } from './TokenList.tsx';

/** `/settings?section=tokens`: the own API tokens in the organisation that the session acts in. */
export function Screen({ command }: ScreenProps) {
  const { api, queries, queryClient } = useData();
  const tokens = useQuery(queries.ownTokens);
  const company = useQuery(queries.session).data?.companyName;
  const isLong = useLongWait(tokens.isPending);
  const [isMaking, setMaking] = useState(false);
  useFirstLine(tokens.data !== undefined);
  useTool('page', { newToken: () => setMaking(true) });
  const make = (
    <Button icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />} onClick={() => setMaking(true)}>
      New token…
    </Button>
  );
  return (
    <SettingsPage
      command={command}
      about={company === undefined ? undefined : `Tokens for scripts that act as you in ${company}`}
      actions={make}
      hints={[{ id: 'tokens.create', text: 'new token' }]}
    >
      <ErrorAlert
        title="Could not load your API tokens."
        error={tokens.error}
        onRetry={() => void tokens.refetch()}
        isRetrying={tokens.isFetching}
      />
      {tokens.isPending && isLong && <SkeletonRows isFramed />}
      {tokens.data?.length === 0 && (
        <State
          place="page"
          icon={<KeyRound size={20} strokeWidth={1.5} aria-hidden="true" />}
          title="No API tokens"
        >
          A token lets a script or a pipeline do some of what you may do, until it expires or you revoke it.
        </State>
      )}
      {tokens.data !== undefined && tokens.data.length > 0 && (
        <SetList>
          <SetCard label="Your API tokens">
            <TokenList
              label="Your API tokens"
              tokens={tokens.data}
              onRevoke={async ({ id }) => {
                await api.revokeToken({ params: { tokenId: id } });
                await queryClient.invalidateQueries({ queryKey: queries.ownTokens.queryKey });
              }}
            />
          </SetCard>
        </SetList>
      )}
      {isMaking && <NewTokenDialog onClose={() => setMaking(false)} />}
    </SettingsPage>
  );
}
