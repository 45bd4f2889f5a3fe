import { type RefObject, useLayoutEffect, useRef } from 'react';

interface ScrollPlace {
  readonly list: RefObject<HTMLElement | null>;
  /** Whether the list is shown from its end on when it opens. */
  readonly isFromEnd: boolean;
}

/** Keeps what is on screen where it is while items are put before the first one of a list. */
export function useScrollPlace({ list, isFromEnd }: ScrollPlace): void {
  const place = useRef<{ readonly item: Element; readonly top: number } | undefined>(undefined);
  useLayoutEffect(() => {
    const item = list.current?.firstElementChild;
    const scroller = list.current?.closest('[data-scroller]');
    if (item === null || item === undefined || scroller === null || scroller === undefined) return undefined;
    const before = place.current;
    if (before === undefined || !before.item.isConnected) {
      if (isFromEnd) scroller.scrollTop = scroller.scrollHeight;
    } else if (before.item !== item)
      scroller.scrollTop += before.item.getBoundingClientRect().top - before.top;
    const note = () => {
      place.current = { item, top: item.getBoundingClientRect().top };
    };
    note();
    scroller.addEventListener('scroll', note, { passive: true });
    return () => scroller.removeEventListener('scroll', note);
  });
}
