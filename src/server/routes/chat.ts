import type { chatEndpoints } from '../../contract/chat.ts';
import type { Handlers } from '../http/handlers.ts';
import { requireChat } from '../chat/require-chat.ts';
import type { RouteParts } from './parts.ts';

/** The AI chat of a cluster. Everything is the caller's own but what is shared with their teams to read. */
export function chatHandlers({ chat }: Pick<RouteParts, 'chat'>): Handlers<typeof chatEndpoints> {
  const { answers, conversations, models, proposals, reading, suggest, used } = chat;
  return {
    async chat(_request, { person, cluster, signal }) {
      const mode = cluster.chatMode;
      const answering = mode === 'model' ? await models.named(person.companyId) : null;
      return {
        mode,
        model: answering,
        used: answering === null ? null : await used(person),
        suggestions: mode === 'off' ? [] : await suggest(person, cluster.id, signal),
      };
    },
    conversations: ({ query }, { person, cluster }) =>
      conversations.list(person, cluster.id, query.search?.trim()),
    addConversation({ body }, { person, cluster }) {
      requireChat(cluster);
      return conversations.add(person, cluster.id, body.title);
    },
    conversation: ({ params, query }, { person, cluster }) =>
      reading.conversation(person, cluster, params.conversationId, query.before),
    async changeConversation({ params, body }, { person, cluster, audit }) {
      audit.subject({ conversationId: params.conversationId, teamId: body.teamId ?? null });
      return await conversations.change(person, cluster.id, params.conversationId, body);
    },
    async deleteConversation({ params }, { person, cluster }) {
      await conversations.delete(person, cluster.id, params.conversationId);
      return undefined;
    },
    askChat({ params, body }, { person, cluster }) {
      requireChat(cluster);
      const { question, about = null } = body;
      return answers.ask(person, cluster, { conversationId: params.conversationId, text: question, about });
    },
    takeProposal({ params }, { person, cluster }) {
      requireChat(cluster);
      return proposals.take(person, cluster.id, params.proposalId);
    },
    async stopChat({ params }, { person, cluster }) {
      await answers.stop(person, cluster.id, params.turnId);
      return undefined;
    },
  };
}
