import { Button } from './Button.tsx';

interface ShowOlderProps {
  /** What is read page by page, the newest first. */
  readonly log: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  /** What it shows, in the plural: `entries`. */
  readonly what: string;
}

/** The button at the end of a log that reads its next page; nothing where there is none. */
export function ShowOlder({ log, what }: ShowOlderProps) {
  if (!log.hasNextPage) return null;
  return (
    <div>
      <Button
        variant="secondary"
        isLoading={log.isFetchingNextPage}
        loadingText="Loading..."
        onClick={() => void log.fetchNextPage()}
      >
        Show older {what}
      </Button>
    </div>
  );
}
