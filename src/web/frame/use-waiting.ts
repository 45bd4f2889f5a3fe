import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../contract/problem.ts';
import { useData } from '../data/port.ts';

/** What waits for the person on pages of the settings, in words, by the id of the page's command. */
export function useWaiting(): Readonly<Record<string, string>> {
  const { queries } = useData();
  const pending = useQuery({ ...queries.pendingInvitations, retry: false });
  // A session that a company's provider opened may not ask; the page says how to see them.
  const isRefused = pending.error instanceof Problem && pending.error.status === 403;
  const requests = useQuery({ ...queries.accessRequests, retry: false }).data?.requests ?? [];
  const deciding = requests.filter(({ mayApprove }) => mayApprove).length;
  return {
    ...companiesEntry(isRefused, pending.data?.length ?? 0),
    ...(deciding === 0 ? {} : { 'settings.accessRequests': `${deciding} waiting` }),
  };
}

/** What the entry of the organisations says. */
function companiesEntry(isRefused: boolean, invitations: number): Readonly<Record<string, string>> {
  if (isRefused) return { 'settings.companies': 'by another sign-in' };
  if (invitations === 0) return {};
  return { 'settings.companies': invitations === 1 ? '1 invitation' : `${invitations} invitations` };
}
