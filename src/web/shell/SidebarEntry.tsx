import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { plainTitle, type RouteCommand } from '../../registry/commands/command.ts';
import { fillPath } from '../../registry/path.ts';
import { useCell } from '../core/state/state.ts';
import { useKeyboard } from '../keyboard/port.ts';
import { Keys } from '../keyboard/Keys.tsx';
import { Icon } from '../kit/icons.tsx';
import { PlaceLink } from '../kit/Link.tsx';
import { viewKey } from '../workspace/place.ts';
import { useWorkspace } from '../workspace/port.ts';
import { sideCount, sideEntry, sideName } from './sidebar-look.ts';

interface SidebarEntryProps {
  readonly command: RouteCommand;
  readonly clusterId: number;
  /** The place that shows, as `viewKey` gives it. */
  readonly here: string;
  readonly onChoose: () => void;
  /** The console's credential may not list its objects there. */
  readonly isUnreadable?: boolean;
  /** How many objects there are behind it. */
  readonly count?: ReactNode;
}

/** A place of the selected cluster. */
export function SidebarEntry({
  command,
  clusterId,
  here,
  onChoose,
  isUnreadable = false,
  count,
}: SidebarEntryProps) {
  const { workspace } = useWorkspace();
  const href = workspace.inChosenNamespace(fillPath(command.path, { clusterId: String(clusterId) }));
  return (
    <PlaceLink
      href={href}
      className={sideEntry()}
      aria-current={viewKey(href) === here ? 'page' : undefined}
      data-unreadable={isUnreadable || undefined}
      title={isUnreadable ? unreadable : undefined}
      onClick={onChoose}
    >
      <Icon name={command.icon} />
      <span className={sideName}>{plainTitle(command)}</span>
      <Pending command={command.id}>{isUnreadable ? <Unreadable /> : count}</Pending>
    </PlaceLink>
  );
}

const unreadable = "The console's credential may not list these here.";

/** Says whose right is missing: what the person may not view is not in the sidebar. */
function Unreadable() {
  return (
    <span className={sideCount}>
      <Lock size={11} strokeWidth={1.75} aria-hidden="true" />
      <span className="sr-only">{unreadable}</span>
    </span>
  );
}

interface PendingProps {
  /** Id of the command whose entry this stands in. */
  readonly command: string;
  readonly children: ReactNode;
}

/** After a first key the one that leads here, else what stands here otherwise. */
function Pending({ command, children }: PendingProps) {
  const stroke = useCell(
    useKeyboard().pendingKeys,
    (pending) => pending?.next.find((one) => one.command.id === command)?.stroke,
  );
  return stroke === undefined ? (
    children
  ) : (
    <span className={sideCount} aria-hidden="true">
      <Keys keys={stroke} />
    </span>
  );
}
