import { useQuery } from '@tanstack/react-query';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';

/** Why dangerous acts on a cluster cannot take a passkey yet: the address, or people who have none. */
export function PasskeyReadiness({ clusterId }: { readonly clusterId: number }) {
  const { queries } = useData();
  const { data, error, refetch, isFetching } = useQuery(queries.passkeyReadiness(clusterId));
  if (error !== null) {
    return (
      <ErrorAlert
        title="Could not load who has no passkey."
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  }
  if (data === undefined) return null;
  const { without, unavailable } = data;
  if (unavailable === null && without.length === 0) return null;
  return (
    <p className="mt-0.5 ml-6 wrap-anywhere text-text-2">
      {unavailable ?? `Without a passkey (${without.length}): ${without.join(', ')}.`}
    </p>
  );
}
