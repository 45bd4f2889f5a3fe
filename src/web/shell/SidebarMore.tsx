import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { RouteCommand } from '../../registry/command.ts';
import { fillPath } from '../../registry/path.ts';
import { useKept } from '../core/state/port.ts';
import { useCell } from '../core/state/state.ts';
import { viewKey } from '../workspace/place.ts';
import { SidebarEntry } from './SidebarEntry.tsx';
import { sideEntry, sideName } from './sidebar-look.ts';

interface SidebarMoreProps {
  readonly entries: readonly RouteCommand[];
  readonly clusterId: number;
  /** The place that shows, as `viewKey` gives it. */
  readonly here: string;
  readonly onChoose: () => void;
}

/**
 * The kinds that the specification's sidebar lacks: closed until the person opens it, which this browser remembers, or
 * until one of its lists shows: the sidebar marks the place where one is.
 */
export function SidebarMore({ entries, clusterId, here, onChoose }: SidebarMoreProps) {
  const { appearance } = useKept();
  const isKeptOpen = useCell(appearance, (state) => state.isMoreOpen === true);
  const [closedAt, setClosedAt] = useState<string | undefined>(undefined);
  const showsOne = entries.some(
    ({ path }) => viewKey(fillPath(path, { clusterId: String(clusterId) })) === here,
  );
  const isOpen = isKeptOpen || (showsOne && closedAt !== here);
  const id = useId();
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div>
      <button
        type="button"
        className={sideEntry({ kind: 'accordion' })}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setClosedAt(isOpen ? here : undefined);
          appearance.update((value) => ({ ...value, isMoreOpen: !isOpen }));
        }}
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
              onChoose={onChoose}
            />
          ))}
      </div>
    </div>
  );
}
