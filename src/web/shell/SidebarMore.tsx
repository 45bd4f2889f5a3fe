import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useLayoutEffect } from 'react';
import type { RouteCommand } from '../../registry/commands/command.ts';
import { fillPath } from '../../registry/path.ts';
import { showsMore, withMoreToggled } from '../core/state/appearance.ts';
import { useKept } from '../core/state/port.ts';
import { useCell } from '../core/state/state.ts';
import { viewKey } from '../workspace/place.ts';
import { SidebarEntry } from './SidebarEntry.tsx';
import { sideEntry, sideName } from './sidebar-look.ts';

interface SidebarMoreProps {
  readonly entries: readonly RouteCommand[];
  readonly clusterId: number;
  /** Ids of the kinds that the console's credential may not list there. */
  readonly unreadable: readonly string[];
  /** The place that shows, as `viewKey` gives it. */
  readonly here: string;
  readonly onChoose: () => void;
}

/**
 * The kinds that the specification's sidebar lacks: closed until the person opens it, which this browser remembers, or
 * until one of its lists shows: the sidebar marks the place where one is.
 */
export function SidebarMore({ entries, clusterId, unreadable, here, onChoose }: SidebarMoreProps) {
  const { appearance } = useKept();
  const isOpen = useCell(appearance, showsMore);
  const showsOne = entries.some(
    ({ path }) => viewKey(fillPath(path, { clusterId: String(clusterId) })) === here,
  );
  // Each of its lists opens it anew; closed, it stays so while that list shows.
  useLayoutEffect(() => {
    appearance.update((state) => ({ ...state, moreOpenFor: showsOne ? here : undefined }));
  }, [appearance, here, showsOne]);
  const id = useId();
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div>
      <button
        type="button"
        className={sideEntry({ kind: 'accordion' })}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => appearance.update(withMoreToggled)}
      >
        <Chevron size={14} strokeWidth={1.75} aria-hidden="true" />
        <span className={sideName}>More</span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen &&
          entries.map((command) => (
            <SidebarEntry
              key={command.id}
              command={command}
              clusterId={clusterId}
              here={here}
              isUnreadable={unreadable.includes(command.kind ?? '')}
              onChoose={onChoose}
            />
          ))}
      </div>
    </div>
  );
}
