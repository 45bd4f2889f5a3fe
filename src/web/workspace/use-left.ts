import { type RefObject, useEffect, useRef } from 'react';
import { useView } from './view.ts';

/**
 * For what is shown only while somebody works with it: calls `hide` as soon as its view is left, for another tab, tile
 * or window, and when `place` becomes another.
 * @param hide the same function at each render
 * @returns the place of now, for answers that come late
 */
export function useLeft(place: string, hide: () => void): RefObject<string> {
  const { isVisible, isFocused } = useView();
  const known = useRef(place);
  const isHere = isVisible && isFocused;
  useEffect(() => {
    if (!isHere) return undefined;
    known.current = place;
    const leave = () => {
      if (document.hidden) hide();
    };
    document.addEventListener('visibilitychange', leave);
    return () => {
      document.removeEventListener('visibilitychange', leave);
      hide();
    };
  }, [isHere, hide, place]);
  return known;
}
