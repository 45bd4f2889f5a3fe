import { QueryClient } from '@tanstack/react-query';
import { createKnownKinds } from '../core/kinds/known.ts';
import { createClient } from '../data/client.ts';
import { createKnownData } from '../data/live/known.ts';
import { KeptKey } from '../data/kept-key.ts';
import { createLive } from '../data/live/live.ts';
import { wakeOn } from '../data/live/wake.ts';
import { IdentityCheck } from '../data/identity-check.ts';
import type { DataPort } from '../data/port.ts';
import { createQueries } from '../data/queries.ts';
import { rereadOrganisation } from '../data/reread-organisation.ts';
import { WarmUps } from '../data/warm-ups.ts';
import { fetchOnce, openSocket } from './early.ts';

const titlesKey = 'wheelhouse.titles';

/**
 * Makes where everything comes from that the server knows.
 * @param onSignedOut a call or the live socket was answered that nobody is signed in, with the server's sentence
 */
export function createData(onSignedOut: (title: string) => void): DataPort {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true, staleTime: 5_000 } },
  });
  const identity = new IdentityCheck();
  const api = createClient({
    fetch: fetchOnce,
    cookies: () => document.cookie,
    place: location,
    onSignedOut,
    confirmIdentity: identity.confirm,
    log: (message) => console.error(message),
  });
  const kinds = createKnownKinds({
    read: () => sessionStorage.getItem(titlesKey),
    write: (text) => sessionStorage.setItem(titlesKey, text),
  });
  const kept = new KeptKey();
  const queries = createQueries(api, kinds, kept);
  const later = (run: () => void, ms: number) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  };
  const known = createKnownData(later);
  const invalidate = (queryKey: readonly unknown[]) => void queryClient.invalidateQueries({ queryKey });
  const live = createLive({
    connect: openSocket,
    now: () => Date.now(),
    random: () => Math.random(),
    later,
    build: document.querySelector<HTMLMetaElement>('meta[name="wheelhouse-build"]')?.content ?? '',
    onChanged: (changed) => {
      for (const [target, data] of changed) {
        if (data.kind !== undefined && 'kind' in target && target.type !== 'graph')
          kinds.learn(target.clusterId, target.kind, data.kind);
        known.put(target, data);
      }
    },
    onGrants: () => void rereadOrganisation({ queryClient, queries }),
    onJobs: (clusterId) => invalidate(['jobs', clusterId]),
    onAccount: () => {
      const { session, company, ownCompanies, pendingInvitations, invitations } = queries;
      for (const { queryKey } of [session, company, ownCompanies, pendingInvitations, invitations])
        invalidate(queryKey);
      // Another model may answer in the chats.
      for (const key of ['chat-model', 'chat']) invalidate([key]);
    },
    onNotifications: () => {
      for (const { queryKey } of [queries.notifications, queries.follows, queries.acknowledgements])
        invalidate(queryKey);
    },
    onPreferences: () => {
      for (const key of ['keymap', 'filters', 'preferences', 'user-settings']) invalidate([key]);
    },
    onSignedOut,
  });
  wakeOn(window, document, () => live.wake());
  const warmUps = new WarmUps(
    api,
    (clusterId) =>
      queryClient.getQueryData(queries.clusters.queryKey)?.some(({ id }) => id === clusterId) === true,
  );
  return { api, identity, queries, queryClient, live, known, kept, kinds, warmUps };
}
