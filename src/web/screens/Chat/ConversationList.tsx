import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { cardLook } from '../../kit/card.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Input, InputBox } from '../../kit/input.tsx';

interface ConversationListProps {
  readonly clusterId: number;
  readonly openId: string | undefined;
  /** Opens one; a new one without its id. */
  readonly onOpen: (id: string | undefined) => void;
}

/** The person's conversations on a cluster, and those that are shared with them. */
export function ConversationList({ clusterId, openId, onOpen }: ConversationListProps) {
  const { queries } = useData();
  const [search, setSearch] = useState('');
  const [isUnfolded, setUnfolded] = useState(false);
  const listId = useId();
  const open = (id: string | undefined) => {
    setUnfolded(false);
    onOpen(id);
  };
  const found = useQuery({
    ...queries.conversations(clusterId, search.trim()),
    placeholderData: keepPreviousData,
  });
  return (
    <nav className={`flex min-w-0 flex-col gap-2 p-2.5 ${cardLook}`} aria-label="Conversations">
      {/* In a narrow tile the answer comes first. */}
      <div className="@min-[48rem]:hidden">
        <Button
          variant="secondary"
          isWide
          aria-expanded={isUnfolded}
          aria-controls={listId}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          Conversations
        </Button>
      </div>
      <div
        id={listId}
        className={`min-w-0 flex-col gap-2 @min-[48rem]:flex ${isUnfolded ? 'flex' : 'hidden'}`}
      >
        <Button
          variant="secondary"
          isWide
          icon={<Plus size={14} aria-hidden="true" />}
          onClick={() => open(undefined)}
        >
          New conversation
        </Button>
        <InputBox size="sm">
          <Input
            type="search"
            aria-label="Search conversations"
            placeholder="Search"
            maxLength={200}
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </InputBox>
        <ErrorAlert error={found.error} onRetry={() => void found.refetch()} isRetrying={found.isFetching} />
        {found.data?.length === 0 && (
          <p className="text-xs text-text-3" role="status">
            {search.trim() === '' ? 'No questions yet.' : 'No conversation matches.'}
          </p>
        )}
        {found.data !== undefined && found.data.length > 0 && (
          <ul className="scrollbar-quiet flex max-h-32 min-w-0 flex-col overflow-auto @min-[48rem]:max-h-[60vh]">
            {found.data.map(({ id, title, owner, team }) => (
              <li key={id} className="min-w-0">
                <button
                  type="button"
                  aria-current={id === openId ? 'page' : undefined}
                  className="flex min-h-8 w-full min-w-0 flex-col justify-center rounded-sm px-2 py-1 text-left hover:bg-row-hover aria-[current=page]:bg-accent-soft narrow:min-h-10"
                  onClick={() => open(id)}
                >
                  <span className="max-w-full truncate">{title}</span>
                  {(owner !== null || team !== null) && (
                    <span className="max-w-full truncate text-xs text-text-3">
                      {owner === null ? `Shared with ${team?.name ?? ''}` : `Of ${owner}`}
                    </span>
                  )}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </nav>
  );
}
