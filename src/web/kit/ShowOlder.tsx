import { useState } from 'react';
import { Button } from './Button.tsx';
import { type PagedLog, readOlder } from './read-older.ts';

interface ShowOlderProps {
  /** What is read page by page, the newest first. */
  readonly log: Pick<PagedLog, 'isFetching' | 'isFetchingNextPage' | 'fetchNextPage'> & {
    readonly hasNextPage: boolean;
  };
  /** What it shows, in the plural: `entries`. */
  readonly what: string;
}

/** The button at the end of a log that reads its next page; nothing where there is none. */
export function ShowOlder({ log, what }: ShowOlderProps) {
  const [isAsked, setIsAsked] = useState(false);
  if (!log.hasNextPage) return null;
  const read = async () => {
    setIsAsked(true);
    await readOlder(log).finally(() => setIsAsked(false));
  };
  return (
    <div>
      <Button
        variant="secondary"
        isLoading={isAsked || log.isFetchingNextPage}
        loadingText="Loading..."
        onClick={() => void read()}
      >
        Show older {what}
      </Button>
    </div>
  );
}
