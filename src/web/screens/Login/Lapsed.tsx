import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { useData } from '../../data/port.ts';
import type { Lapse } from '../../data/lapse.ts';
import { unsentKey } from '../../features/edit/draft-query.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { Note } from '../../kit/Note.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Spinner } from '../../kit/Spinner.tsx';
import { useEnter } from '../use-enter.ts';
import { FinePrint } from './FinePrint.tsx';

/**
 * Sign-in after a call was answered 401: says why, asks once whether the session lives, and then offers to go on. Nothing
 * leads back by itself, since the call that was refused may be refused again.
 * @param form signs in, where the session is over or somebody else works here
 */
export function Lapsed({ lapse, form }: { readonly lapse: Lapse; readonly form: ReactNode }) {
  const { api, queries, queryClient } = useData();
  const enter = useEnter();
  const reason = useId();
  const [isOther, setOther] = useState(false);
  const known = useQuery(queries.session).data;
  const asked = useQuery({
    queryKey: ['session-after', lapse.at],
    enabled: lapse.isFresh,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnReconnect: false,
    queryFn: async ({ signal }) => (await api.isAuthenticated({}, { signal })).user ?? null,
  });
  const isKnown = lapse.isFresh ? asked.data !== undefined : known !== undefined;
  const user = lapse.isFresh ? asked.data : known;
  const hasText = queryClient
    .getQueriesData({ queryKey: unsentKey(lapse.userId) })
    .some(([, kept]) => kept !== null && kept !== undefined);

  if (!isKnown && !asked.isError) return <Spinner label="Checking whether you are still signed in" />;
  const kept = (className: string) =>
    hasText && (
      <FinePrint className={className}>
        The text that you have not applied or saved yet is kept. Do not close or reload this page before you
        have gone back to it.
      </FinePrint>
    );
  if (user === null || user === undefined || isOther) {
    return (
      <>
        <ErrorAlert
          title="Could not check whether you are still signed in."
          error={asked.error}
          onRetry={() => void asked.refetch()}
          isRetrying={asked.isFetching}
        />
        {!asked.isError && !isOther && (
          <Note tone="info" role="status">
            <Glyph tone="info" size={13} />
            <div>Your session has ended. Sign in to go on where you were.</div>
          </Note>
        )}
        {form}
        {kept('mt-1')}
      </>
    );
  }
  return (
    <div className={formLook}>
      <Note tone="warn" role="status">
        <Glyph tone="warn" size={13} />
        <div id={reason}>
          A call of this page was refused as not signed in (401): “{lapse.title}” You are still signed in as{' '}
          <b className="font-semibold">{user.name}</b> ({user.email}).
        </div>
      </Note>
      <Button
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do on this page
        autoFocus
        aria-describedby={reason}
        size="lg"
        isWide
        className="mt-1"
        onClick={() => enter(user)}
      >
        Continue
      </Button>
      <Button variant="transparent" isWide className="-mt-1.5" onClick={() => setOther(true)}>
        Sign in as somebody else
      </Button>
      {kept('mt-4.5')}
    </div>
  );
}
