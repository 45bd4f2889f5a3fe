import { useEffect, useState } from 'react';

const readRootSize = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
/** As it was read last. Reading it while much is new on the page makes the browser style all of that first. */
let lastRootSize = readRootSize();

interface Measure {
  readonly width: number;
  readonly rootSize: number;
}

/** Width of an element and the root's font size, both in px, kept current: what is sized by the root changes with it. */
export function useMeasure(element: HTMLElement | null): Measure {
  const [measure, setMeasure] = useState<Measure>(() => ({ width: 0, rootSize: lastRootSize }));
  useEffect(() => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      lastRootSize = readRootSize();
      setMeasure({ width: entry?.contentRect.width ?? 0, rootSize: lastRootSize });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return measure;
}
