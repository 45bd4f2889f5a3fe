import type { LiveList } from '../../data/live/rows.ts';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';

/** Why a list is not being read yet, where the server says so: it or the cluster lacks memory or time. */
export const waitReason = (list: LiveList | undefined): string | undefined =>
  list?.ended === undefined && list?.complete !== true && list?.state.status === 'loading'
    ? list.state.message
    : undefined;

/** Whether a list without a row may still get some: nothing kept it from being read so far. */
export function isListWaiting(list: LiveList | undefined): boolean {
  const status = list?.state.status ?? 'loading';
  return (
    list?.ended === undefined &&
    list?.complete !== true &&
    waitReason(list) === undefined &&
    (status === 'loading' || status === 'live')
  );
}

/** Shown before the first row: nothing at first, then outlines of rows. */
export function ListWaiting() {
  const isLong = useLongWait(true);
  return (
    <div aria-busy="true" className="h-full">
      {isLong && <SkeletonRows />}
    </div>
  );
}
