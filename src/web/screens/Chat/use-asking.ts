import { useState } from 'react';
import { titleLimit } from '../../../contract/chat.ts';
import type { Ref } from '../../../contract/objects.ts';
import { useData } from '../../data/port.ts';
import { rereadLog } from './reread.ts';

/** Asking questions in a conversation, one at a time. */
export interface Asking {
  readonly isBusy: boolean;
  readonly failure: unknown;
  /** Asks; the conversation is begun first where there is none. Resolves to whether it was asked. */
  readonly ask: (question: string, about: Ref | undefined) => Promise<boolean>;
  readonly stop: (turnId: string) => void;
}

/** @param onAsked shows the conversation in which something was asked */
export function useAsking(
  clusterId: number,
  conversationId: string | undefined,
  onAsked: (conversationId: string) => void,
): Asking {
  const { api, queries, queryClient } = useData();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const reread = (id: string) =>
    Promise.all([
      rereadLog(queryClient, queries.conversation(clusterId, id).queryKey),
      queryClient.invalidateQueries({ queryKey: queries.conversations(clusterId, '').queryKey.slice(0, 3) }),
    ]);
  return {
    isBusy,
    failure,
    async ask(question, about) {
      if (isBusy) return false;
      setBusy(true);
      setFailure(undefined);
      try {
        const id =
          conversationId ??
          (await api.addConversation({ params: { clusterId }, body: { title: titleOf(question) } })).id;
        await api.askChat({
          params: { clusterId, conversationId: id },
          body: { question, ...(about === undefined ? {} : { about }) },
        });
        await reread(id);
        onAsked(id);
        return true;
      } catch (error) {
        setFailure(error);
        return false;
      } finally {
        setBusy(false);
      }
    },
    stop(turnId) {
      setFailure(undefined);
      api.stopChat({ params: { clusterId, turnId } }).catch((error: unknown) => setFailure(error));
    },
  };
}

/** The first line of a question names its conversation. */
function titleOf(question: string): string {
  const [line = ''] = question.trim().split('\n');
  return line.length > titleLimit ? `${line.slice(0, titleLimit - 1)}…` : line;
}
