import {
  Bell,
  Box,
  Check,
  ChevronDown,
  ChevronRight,
  ChevronsUpDown,
  CircleGauge,
  Copy,
  Database,
  House,
  Layers,
  LifeBuoy,
  PackageX,
  PanelLeft,
  Search,
  Server,
  Settings,
  Shapes,
  Ship,
  SquareDashed,
  Waypoints,
} from 'lucide-react';
import { type ComponentType, lazy, type SVGProps, Suspense } from 'react';

export type IconComponent = ComponentType<SVGProps<SVGSVGElement> & { readonly size?: number | string }>;

/** Icons by the names that commands and kinds use, those of places: a page shows them at once. */
const icons: Readonly<Record<string, IconComponent>> = {
  absent: PackageX,
  check: Check,
  chevron: ChevronDown,
  'chevron-right': ChevronRight,
  chevrons: ChevronsUpDown,
  clusters: Ship,
  dashboard: CircleGauge,
  deployment: Layers,
  event: Bell,
  help: LifeBuoy,
  home: House,
  namespace: SquareDashed,
  node: Server,
  object: Shapes,
  pod: Box,
  replicaset: Copy,
  search: Search,
  service: Waypoints,
  settings: Settings,
  sidebar: PanelLeft,
  statefulset: Database,
};

const ActionIcon = lazy(async () => ({ default: (await import('./action-icons.tsx')).ActionIcon }));

/** An icon by name; nothing for a name that has none. Decorative: the text beside it says the same. */
export function Icon({ name, size = 14 }: { readonly name: string | undefined; readonly size?: number }) {
  if (name === undefined) return null;
  const Found = icons[name];
  if (Found !== undefined) return <Found size={size} strokeWidth={1.75} aria-hidden="true" />;
  return (
    <Suspense fallback={<svg width={size} height={size} aria-hidden="true" />}>
      <ActionIcon name={name} size={size} />
    </Suspense>
  );
}
