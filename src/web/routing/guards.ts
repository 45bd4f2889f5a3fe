import type { QueryClient } from '@tanstack/react-query';
import type { User } from '../../contract/account.ts';
import type { Queries } from '../data/queries.ts';

/**
 * Who is signed in; null for nobody. A known person is believed until a call is refused; while nobody is signed in each
 * navigation asks again, since another tab may have signed in meanwhile.
 * Rejects with what the call said when it fails and nothing is known.
 */
export async function sessionNow(
  queryClient: QueryClient,
  session: Queries['session'],
): Promise<User | null> {
  const known = queryClient.getQueryData(session.queryKey);
  if (known === undefined) return queryClient.fetchQuery(session);
  return known ?? queryClient.fetchQuery({ ...session, staleTime: 0 }).catch(() => null);
}
