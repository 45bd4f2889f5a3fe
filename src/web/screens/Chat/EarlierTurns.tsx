import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from '../../kit/Button.tsx';

/** Turns that are read page by page, the newest first. */
export interface TurnLog {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

interface EarlierTurnsProps {
  readonly log: TurnLog;
  /** Takes the focus when all of them are shown, and this goes. */
  readonly onFocusLost: () => void;
}

/** The way to the turns before the first one that is shown: a press, or scrolling up to it, reads them. */
export function EarlierTurns({ log, onFocusLost }: EarlierTurnsProps) {
  const place = useRef<HTMLDivElement>(null);
  const { isFetchingNextPage, fetchNextPage } = log;
  const read = useEffectEvent(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  });
  /** Whether the focus was here last: a button that is busy may have lost it. */
  const wasFocused = useRef(false);
  const handOver = useEffectEvent(() => {
    if (wasFocused.current && !isElsewhere(place.current)) onFocusLost();
  });
  useEffect(() => () => handOver(), []);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    // Whoever opens a conversation has not scrolled to it yet.
    let wasAway = false;
    const watch = new IntersectionObserver(
      ([entry]) => {
        const isShown = entry?.isIntersecting ?? false;
        if (isShown && wasAway) read();
        wasAway = !isShown;
      },
      { root: element.closest('[data-scroller]') },
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return (
    <div
      ref={place}
      onFocus={() => {
        wasFocused.current = true;
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null) wasFocused.current = false;
      }}
    >
      <Button
        size="sm"
        variant="secondary"
        isLoading={isFetchingNextPage}
        loadingText="Loading..."
        onClick={() => void fetchNextPage()}
      >
        Earlier turns
      </Button>
    </div>
  );
}

/** Whether something outside of an element has the focus. */
function isElsewhere(element: Element | null): boolean {
  const active = document.activeElement;
  return active !== null && active !== document.body && element?.contains(active) !== true;
}
