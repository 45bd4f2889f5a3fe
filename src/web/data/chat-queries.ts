import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ApiClient } from './client.ts';

/** Keys and fetchers of the AI chat: a part of `createQueries`. What a person may see of it may change at any time. */
export const chatQueries = (api: ApiClient) => ({
  /** The model of the company's chats; for Owners. */
  chatModel: queryOptions({
    queryKey: ['chat-model'],
    queryFn: ({ signal }) => api.chatModel({}, { signal }),
  }),
  /** Who answers, and what is worth asking. */
  chat: (clusterId: number) =>
    queryOptions({
      queryKey: ['chat', clusterId, 'state'],
      staleTime: 15_000,
      queryFn: ({ signal }) => api.chat({ params: { clusterId } }, { signal }),
    }),
  /** @param search words in titles and questions */
  conversations: (clusterId: number, search: string) =>
    queryOptions({
      queryKey: ['chat', clusterId, 'conversations', search],
      staleTime: 5_000,
      queryFn: ({ signal }) =>
        api.conversations(
          { params: { clusterId }, ...(search === '' ? {} : { query: { search } }) },
          { signal },
        ),
    }),
  /** A conversation with its turns, page by page, the newest first. */
  conversation: (clusterId: number, conversationId: string) =>
    infiniteQueryOptions({
      queryKey: ['chat', clusterId, 'conversation', conversationId],
      initialPageParam: 0,
      queryFn: ({ signal, pageParam }) =>
        api.conversation(
          {
            params: { clusterId, conversationId },
            ...(pageParam === 0 ? {} : { query: { before: pageParam } }),
          },
          { signal },
        ),
      getNextPageParam: ({ earlier }) => earlier ?? undefined,
    }),
});
