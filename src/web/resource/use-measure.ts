import { useEffect, useState } from 'react';

/** Width of an element and the root's font size, both in px, kept current. */
export function useMeasure(element: HTMLElement | null): {
  readonly width: number;
  readonly rootSize: number;
} {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  const rootSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return { width, rootSize };
}
