import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import { aboutIn } from '../../../registry/commands/chat-about.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useData } from '../../data/port.ts';
import { Page } from '../../frame/Page.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { readAgain } from '../../kit/read-older.ts';
import { ScreenPending } from '../../kit/ScreenPending.tsx';
import { State } from '../../kit/State.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { AskForm } from './AskForm.tsx';
import { ConversationHead } from './ConversationHead.tsx';
import { ConversationList } from './ConversationList.tsx';
import { rereadLog } from './reread.ts';
import { Turns } from './Turns.tsx';
import type { ApiClient } from '../../data/client.ts';
import { useAsking } from './use-asking.ts';

/** `/clusters/{clusterId}/chat`: questions about a cluster, answered by its rules and by a model where there is one. */
export function Screen({ params }: ScreenProps) {
  const { queries, queryClient } = useData();
  const clusterId = Number(params.clusterId);
  const [search, setSearch] = useViewSearch();
  const id = search['conversation'];
  const about = aboutIn(search['about']);
  const chat = useQuery(queries.chat(clusterId));
  const open = useInfiniteQuery({
    ...queries.conversation(clusterId, id ?? ''),
    enabled: id !== undefined,
    retry: false,
  });
  const [begun, setBegun] = useState<string>();
  const asking = useAsking(clusterId, id, (conversationId) => {
    if (id === undefined) setBegun(conversationId);
    setSearch({ conversation: conversationId, about: undefined }, id === undefined ? 'push' : 'replace');
  });
  if (chat.isPending) return <ScreenPending />;
  const isOff = chat.data?.mode === 'off';
  const pages = id === undefined ? [] : (open.data?.pages ?? []);
  const conversation = pages[0]?.conversation;
  // Read the newest first.
  const turns = pages.toReversed().flatMap((page) => page.turns);
  const running = turns.find(({ state }) => state === 'running');
  const isReader = conversation !== undefined && conversation.owner !== null;
  return (
    <Page
      title="AI Chat"
      about={whoAnswers(chat.data)}
      mode="CHAT"
      status={usedToday(chat.data?.used ?? null)}
    >
      <ErrorAlert error={chat.error} onRetry={() => void chat.refetch()} isRetrying={chat.isFetching} />
      <div className="@container">
        <div className="grid min-h-0 flex-1 grid-cols-1 content-start items-start gap-3 @min-[48rem]:grid-cols-[16rem_minmax(0,1fr)]">
          <ConversationList
            clusterId={clusterId}
            openId={id}
            onOpen={(conversationId) => setSearch({ conversation: conversationId, about: undefined }, 'push')}
          />
          <div className="flex min-w-0 flex-col gap-3">
            {id !== undefined && (
              <ErrorAlert
                error={open.error}
                onRetry={() => void readAgain(open)}
                isRetrying={open.isFetching}
              />
            )}
            {conversation !== undefined && (
              <ConversationHead
                key={conversation.id}
                clusterId={clusterId}
                conversation={conversation}
                onDeleted={() => setSearch({ conversation: undefined })}
              />
            )}
            <Turns
              clusterId={clusterId}
              conversationId={id}
              turns={turns}
              log={open}
              onEnded={() => void rereadLog(queryClient, queries.conversation(clusterId, id ?? '').queryKey)}
            />
            {isOff && (
              <State
                icon={<MessagesSquare size={20} strokeWidth={1.5} aria-hidden="true" />}
                title="The chat is turned off for this cluster"
                place="page"
              >
                An Owner of your organisation can turn it on in the cluster settings for everyone. Existing
                conversations can still be read.
              </State>
            )}
            {!isOff && !isReader && (id === undefined || conversation !== undefined) && (
              <AskForm
                // The same form where a question begins the conversation: it may hold another text.
                key={`${id === begun ? '' : (id ?? '')} ${search['about'] ?? ''}`}
                about={about}
                isNew={id === undefined || id === begun}
                suggestions={turns.length === 0 ? (chat.data?.suggestions ?? []) : []}
                asking={asking}
                isRunning={running !== undefined}
                onStop={running === undefined ? undefined : () => asking.stop(running.id)}
                onDropAbout={() => setSearch({ about: undefined })}
              />
            )}
            {isReader && (
              <p className="text-text-2">
                {conversation.owner} shares this conversation with the team {conversation.team?.name}. You can
                read its answers about objects that you may view.
              </p>
            )}
          </div>
        </div>
      </div>
    </Page>
  );
}

type ChatState = Awaited<ReturnType<ApiClient['chat']>>;

/** Who answers, and who is told what. */
function whoAnswers(
  chat: { readonly model: { readonly name: string; readonly origin: string } | null } | undefined,
): string {
  if (chat === undefined) return '';
  return chat.model === null
    ? 'Answered by rules; nothing leaves the console'
    : `The rules answer first, then the model ${chat.model.name} at ${chat.model.origin}`;
}

/** What the model took today, of what it may. */
function usedToday(used: ChatState['used']): string | undefined {
  if (used === null) return undefined;
  const { person, personLimit, company, companyLimit } = used;
  const of = (some: number, limit: number) => `${some.toLocaleString('en')} of ${limit.toLocaleString('en')}`;
  return `Tokens today: ${of(person, personLimit)}, the organisation ${of(company, companyLimit)}`;
}
