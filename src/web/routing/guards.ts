import type { QueryClient } from '@tanstack/react-query';
import type { User } from '../../contract/account.ts';
import type { Queries } from '../data/queries.ts';

/**
 * The signed-in person; null if nobody is signed in. A known person is believed until a call is refused; without one
 * each navigation asks again, since another tab may have signed in meanwhile. Rejects with the call's failure if
 * nothing is known.
 */
export async function sessionNow(
  queryClient: QueryClient,
  session: Queries['session'],
): Promise<User | null> {
  const known = queryClient.getQueryData(session.queryKey);
  if (known === undefined) return queryClient.fetchQuery(session);
  return known ?? queryClient.fetchQuery({ ...session, staleTime: 0 }).catch(() => null);
}
