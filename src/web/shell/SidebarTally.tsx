import { useEffect, useState } from 'react';
import type { TalliesTarget } from '../data/live/targets.ts';
import { useLive } from '../data/live/use-live.ts';
import { Glyph } from '../kit/marks.tsx';
import { pageIsOpen } from './page-open.ts';
import { sideCount } from './sidebar-look.ts';

interface SidebarTallyProps extends Pick<TalliesTarget, 'of' | 'namespace'> {
  readonly clusterId: number;
  readonly kindId: string;
}

/** How many of a kind fail, or how many there are where none does: as its list shows them. */
export function SidebarTally({ clusterId, kindId, of, namespace }: SidebarTallyProps) {
  const isOpen = useIsOpen();
  const target = isOpen ? ({ type: 'tallies', clusterId, of, namespace } as const) : undefined;
  const tally = useLive(target, true)?.tallies?.[kindId];
  if (tally === undefined) return null;
  // Only some of a cluster's custom kinds are counted: a total beside these would look like zero beside the others.
  if (tally.bad === 0) return of === 'custom' ? null : <span className={sideCount}>{tally.total}</span>;
  return (
    <span className={sideCount} data-tone="bad">
      <Glyph tone="bad" size={10} />
      {tally.bad}
      <span className="sr-only"> failing</span>
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
