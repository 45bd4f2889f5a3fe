import { PanelLeft } from 'lucide-react';
import { useCommands } from '../core/commands.ts';
import { useKeyText } from '../keyboard/Keys.tsx';
import { IconButton } from '../kit/Button.tsx';
import { ProBadge, WheelMark } from '../kit/marks.tsx';
import { PlaceLink } from '../kit/Link.tsx';
import { AdminIcons } from './AdminIcons.tsx';
import { ClusterDropdown } from './ClusterDropdown.tsx';
import { Bell } from '../features/notifications/Bell.tsx';
import { PaletteButton } from '../features/palette/PaletteButton.tsx';
import { CreateButton } from './CreateButton.tsx';
import { NamespacePicker } from '../features/list/NamespacePicker.tsx';
import { UserMenu } from './UserMenu.tsx';

const look = [
  'col-span-full flex items-center gap-2 border-b border-border bg-raised px-2 narrow:gap-1 narrow:px-1.5',
  // Names of its buttons open to the left, but for the one at its left end.
  '[&>[data-tip]:not(:first-child)::after]:right-0 [&>[data-tip]:not(:first-child)::after]:left-auto',
].join(' ');

/** Sidebar toggle, product, cluster, namespace, and the person. */
export function TopBar({ isSidebarOpen }: { readonly isSidebarOpen: boolean }) {
  const { registry, run } = useCommands();
  const toggle = registry.get('workspace.toggleSidebar');
  const toggleKeys = useKeyText(toggle.id);
  return (
    <header className={look}>
      <IconButton
        label="Toggle sidebar"
        keyHint={toggleKeys}
        aria-expanded={isSidebarOpen}
        onClick={() => run(toggle.id)}
      >
        <PanelLeft size={16} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
      <PlaceLink
        className="flex items-center gap-1.75 rounded-sm pr-1.5 text-md font-semibold tracking-[-0.005em] text-text"
        href={registry.href('home')}
      >
        <WheelMark />
        <span className="sr-only">Home</span>
        <span className="max-lg:hidden">Wheelhouse</span>
        <ProBadge className="max-lg:hidden" />
      </PlaceLink>
      <ClusterDropdown />
      <NamespacePicker />
      <PaletteButton />
      <CreateButton />
      <AdminIcons />
      <Bell />
      <UserMenu />
    </header>
  );
}
