import { type RefObject, useLayoutEffect, useRef } from 'react';
import { type ItemPlace, placesOf, shiftOf } from './scroll-place.ts';

interface ScrollPlace {
  readonly list: RefObject<HTMLElement | null>;
  /** Which list it is: another one is shown from its own place on. */
  readonly id: string | undefined;
  /** Whether the list is shown from its end on when it opens. */
  readonly isFromEnd: boolean;
}

/** Keeps what is on screen where it is while something is put above it, or taken away. */
export function useScrollPlace({ list, id, isFromEnd }: ScrollPlace): void {
  const place = useRef<{ readonly id: string | undefined; readonly items: readonly ItemPlace<Element>[] }>(
    undefined,
  );
  useLayoutEffect(() => {
    const scroller = list.current?.closest('[data-scroller]');
    if (list.current === null || scroller === null || scroller === undefined) {
      place.current = undefined;
      return undefined;
    }
    const { children } = list.current;
    if (place.current?.id === id) scroller.scrollTop += shiftOf(place.current?.items ?? [], scroller);
    else if (isFromEnd) scroller.scrollTop = scroller.scrollHeight;
    const note = () => {
      place.current = { id, items: placesOf([...children], scroller) };
    };
    note();
    scroller.addEventListener('scroll', note, { passive: true });
    // What a person opens or types moves things as they expect it.
    const sizes = new ResizeObserver(note);
    for (const child of scroller.children) sizes.observe(child);
    return () => {
      scroller.removeEventListener('scroll', note);
      sizes.disconnect();
    };
  });
}
