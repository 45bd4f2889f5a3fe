import { useEffect, useState } from 'react';
import { useLive } from '../data/live/use-live.ts';
import { Glyph } from '../ui/marks.tsx';
import { pageIsOpen } from './page-open.ts';

interface SidebarTallyProps {
  readonly clusterId: number;
  readonly kindId: string;
}

/** How many of a kind fail, or how many there are where none does. */
export function SidebarTally({ clusterId, kindId }: SidebarTallyProps) {
  const isOpen = useIsOpen();
  const target = isOpen ? ({ type: 'tallies', clusterId } as const) : undefined;
  const tally = useLive(target, true)?.tallies?.[kindId];
  if (tally === undefined) return null;
  if (tally.bad === 0) return <span className="cnt">{tally.total}</span>;
  return (
    <span className="cnt bad">
      <Glyph tone="bad" size={10} />
      {tally.bad}
      <span className="vh"> failing</span>
    </span>
  );
}

/** Whether what opens the page had its turn. */
function useIsOpen(): boolean {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    let isGone = false;
    void pageIsOpen.then(() => {
      if (!isGone) setOpen(true);
    });
    return () => {
      isGone = true;
    };
  }, []);
  return isOpen;
}
