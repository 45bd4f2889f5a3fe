import { useQuery } from '@tanstack/react-query';
import { useData } from '../data/port.ts';

/** What waits for the person on pages of the settings, in words, by the id of the page's command. */
export function useWaiting(): Readonly<Record<string, string>> {
  const { queries } = useData();
  // A session that a company's provider opened may not ask: nothing waits then.
  const invitations = useQuery({ ...queries.pendingInvitations, retry: false }).data?.length ?? 0;
  const requests = useQuery({ ...queries.accessRequests, retry: false }).data?.requests ?? [];
  const deciding = requests.filter(({ mayDecide }) => mayDecide).length;
  return {
    ...(invitations === 0
      ? {}
      : { 'settings.companies': invitations === 1 ? '1 invitation' : `${invitations} invitations` }),
    ...(deciding === 0 ? {} : { 'settings.accessRequests': `${deciding} waiting` }),
  };
}
