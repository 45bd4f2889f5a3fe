import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { mayBeSecret } from '../../../kube/secret-text.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { draftQuery, type StoredDraft, unsentKey } from './draft-query.ts';

/** How long after the last change a draft is kept on the server, ms. */
const saveDelay = 800;
/** Longer texts are kept by this page alone. */
const maxServerDraft = 512 * 1024;

/** A text that is not applied yet: kept by this page at once, by the server a moment later (never of a Secret). */
export interface Unsent {
  /** The stored draft: undefined while it is being read, null if there is none. */
  readonly kept: StoredDraft | null | undefined;
  /** Why the server keeps no draft of the newest text, a whole sentence; undefined where it does. */
  readonly notKept: string | undefined;
  keep(text: string, base?: string | null): void;
  /** Keeps it in this page alone; what the server kept before goes. */
  keepHere(text: string): void;
  /** Forgets it in this page. */
  readonly forgetHere: () => void;
  /** Forgets it here and there: it was applied, or is not wanted. */
  discard(): void;
}

const untilClosed = 'Copy this text before you close the page, if you need it again.';
const reasons = {
  secret: `Texts that may contain a Secret are not kept as drafts. ${untilClosed}`,
  long: `Of texts over ${maxServerDraft / 1024} KB, no draft is kept. ${untilClosed}`,
  unread: `This text takes too long to scan for Secrets, so it is not kept as a draft. ${untilClosed}`,
  failed: `The server could not keep a draft. ${untilClosed}`,
} as const;

/** The unsent text of a place: the dialog that creates, or an object that is edited. */
export function useUnsent(place: string): Unsent {
  const { services } = useCommands();
  const { api, queries } = useData();
  const queryClient = useQueryClient();
  const userId = useQuery(queries.session).data?.id ?? 0;
  // Forgotten with everything else of a person when they sign out.
  const key = useMemo(() => unsentKey(userId, place), [userId, place]);
  const kept = useQuery(draftQuery({ api, log: services.log, userId, place }));

  const [notKept, setNotKept] = useState<keyof typeof reasons | undefined>(undefined);
  const waiting = useRef<
    { readonly send: () => void; readonly timer: ReturnType<typeof setTimeout> } | undefined
  >(undefined);
  // One after the other: what is forgotten is not kept again by what was on its way.
  const sending = useRef(Promise.resolve());
  const later = useCallback(
    (run: () => Promise<keyof typeof reasons | undefined>, wait: number) => {
      if (waiting.current !== undefined) clearTimeout(waiting.current.timer);
      const send = () => {
        waiting.current = undefined;
        sending.current = sending.current.then(run).then(setNotKept, (error: unknown) => {
          setNotKept('failed');
          queryClient.setQueryData<StoredDraft | null>(key, (now) => now && { ...now, isOnlyHere: true });
          services.log('The draft could not be kept on the server.', error);
        });
      };
      waiting.current = { send, timer: setTimeout(send, wait) };
    },
    [services, queryClient, key],
  );
  useEffect(
    () => () => {
      if (waiting.current === undefined) return;
      clearTimeout(waiting.current.timer);
      waiting.current.send();
    },
    [],
  );

  const keep = useCallback(
    (text: string, base: string | null = null) => {
      const isBlank = text.trim() === '';
      void queryClient.cancelQueries({ queryKey: key });
      queryClient.setQueryData(key, isBlank ? null : { text, base });
      later(async () => {
        const isLong = text.length > maxServerDraft;
        if (!isBlank && !isLong && !mayBeSecret(text)) {
          const answer = await api.saveDraft({ params: { place }, body: { text, base } });
          if (answer.isKept) return undefined;
          return answer.isUnread === true ? 'unread' : 'secret';
        }
        await api.deleteDraft({ params: { place } });
        return isBlank ? undefined : isLong ? 'long' : 'secret';
      }, saveDelay);
    },
    [api, key, later, place, queryClient],
  );
  const remove = useCallback(
    () =>
      later(async () => {
        await api.deleteDraft({ params: { place } });
        return undefined;
      }, 0),
    [api, later, place],
  );
  const discard = useCallback(() => {
    queryClient.setQueryData(key, null);
    remove();
  }, [key, remove, queryClient]);
  const keepHere = useCallback(
    (text: string) => {
      const before = queryClient.getQueryData<StoredDraft | null>(key);
      queryClient.setQueryData(key, { text, base: null });
      if (before === null || before === undefined) remove();
    },
    [key, remove, queryClient],
  );
  const forgetHere = useCallback(() => queryClient.setQueryData(key, null), [key, queryClient]);

  // Text that the server refused, for want of a session or for its size, is sent again.
  useEffect(() => {
    const before = queryClient.getQueryData<StoredDraft | null>(key);
    if (before?.isOnlyHere === true) keep(before.text, before.base);
  }, [key, keep, queryClient]);
  return useMemo(
    () => ({
      kept: kept.data,
      notKept: notKept === undefined ? undefined : reasons[notKept],
      keep,
      keepHere,
      forgetHere,
      discard,
    }),
    [kept.data, notKept, keep, keepHere, forgetHere, discard],
  );
}
