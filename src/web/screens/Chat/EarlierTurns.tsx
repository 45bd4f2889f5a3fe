import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { Button } from '../../kit/Button.tsx';

/** Turns that are read page by page, the newest first. */
export interface TurnLog {
  readonly hasNextPage: boolean;
  /** Any of them are being read, the known ones anew as well. */
  readonly isFetching: boolean;
  readonly fetchNextPage: (options: { readonly cancelRefetch: false }) => Promise<unknown>;
}

interface EarlierTurnsProps {
  readonly log: TurnLog;
  /** Takes the focus when all of them are shown, and this goes. */
  readonly onFocusLost: () => void;
}

/** The way to the turns before the first one that is shown: a press, or scrolling up to it, reads them. */
export function EarlierTurns({ log, onFocusLost }: EarlierTurnsProps) {
  const place = useRef<HTMLDivElement>(null);
  const { isFetching, fetchNextPage } = log;
  const read = useEffectEvent(() => {
    if (!isFetching) void fetchNextPage({ cancelRefetch: false });
  });
  const handOver = useEffectEvent(onFocusLost);
  useLayoutEffect(() => {
    const element = place.current;
    return () => {
      if (element?.contains(document.activeElement) === true) handOver();
    };
  }, []);
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
    <div ref={place}>
      <Button
        size="sm"
        variant="secondary"
        isLoading={isFetching}
        keepsFocus
        onClick={() => void fetchNextPage({ cancelRefetch: false })}
      >
        Earlier turns
      </Button>
    </div>
  );
}
