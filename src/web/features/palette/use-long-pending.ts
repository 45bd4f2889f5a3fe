import { useEffect, useState } from 'react';

/** Delay before something under way is announced (ms): what starts and ends with each key would flicker. */
const announceAfter = 200;

/** Whether something has been under way for long enough to be announced. */
export function useLongPending(isPending: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(() => setLong(true), announceAfter);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isPending]);
  return isPending && isLong;
}
