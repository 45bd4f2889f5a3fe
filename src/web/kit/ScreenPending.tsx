import { useEffect, useState } from 'react';
import { ViewBody } from './ViewBody.tsx';

/** A wait shorter than this shows nothing, ms. */
export const quietWait = 150;

/** Whether a wait has lasted long enough to be shown. @param least how long that is, ms */
export function useLongWait(isWaiting: boolean, least = quietWait): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setLong(true), least);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isWaiting, least]);
  return isWaiting && isLong;
}

interface SkeletonProps {
  /** In a frame of its own: it stands in a page. */
  readonly isFramed?: boolean;
}

/** A screen that is still being loaded: nothing at first, then the outline of rows. */
export function ScreenPending({ isFramed = false }: SkeletonProps) {
  const isLong = useLongWait(true);
  return <ViewBody aria-busy="true">{isLong && <SkeletonRows isFramed={isFramed} />}</ViewBody>;
}

const line = 'block h-2 rounded-xs bg-chart-track';
const widths = [62, 48, 71, 55, 66, 44, 58];

/** The outline of rows to come. */
export function SkeletonRows({ isFramed = false }: SkeletonProps) {
  return (
    <div
      className={isFramed ? 'rounded-md border border-border bg-surface' : undefined}
      aria-hidden="true"
      data-part="skeleton"
    >
      {widths.map((width) => (
        <div
          key={width}
          className="grid h-row grid-cols-[1fr_6rem_3rem_2rem] items-center gap-6 border-b border-hairline px-3.25"
        >
          <i className={line} style={{ width: `${width}%` }} />
          <i className={line} />
          <i className={line} />
          <i className={line} />
        </div>
      ))}
    </div>
  );
}
