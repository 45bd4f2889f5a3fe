import { useQuery } from '@tanstack/react-query';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { TokenList } from '../Tokens/TokenList.tsx';

/** The API tokens of a person in the organisation, for an Owner. */
export function MemberTokens({ userId }: { readonly userId: number }) {
  const { api, queries, queryClient } = useData();
  const all = useQuery(queries.memberTokens);
  const tokens = all.data?.filter((one) => one.userId === userId);
  return (
    <SetCard title="API tokens">
      <ErrorAlert
        title="Could not load the API tokens."
        error={all.error}
        onRetry={() => void all.refetch()}
        isRetrying={all.isFetching}
      />
      {tokens?.length === 0 && <p className="text-text-2">This person has no API tokens here.</p>}
      {tokens !== undefined && tokens.length > 0 && (
        <TokenList
          label="API tokens"
          tokens={tokens}
          onRevoke={async ({ id }) => {
            await api.revokeMemberToken({ params: { tokenId: id } });
            for (const { queryKey } of [queries.memberTokens, queries.ownTokens])
              await queryClient.invalidateQueries({ queryKey });
          }}
        />
      )}
    </SetCard>
  );
}
