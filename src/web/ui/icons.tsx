import {
  Bell,
  Box,
  ChevronDown,
  ChevronsUpDown,
  CircleGauge,
  House,
  Layers,
  LifeBuoy,
  LogOut,
  PackageX,
  PanelLeft,
  Server,
  Ship,
  SquareDashed,
  SunMoon,
  Waypoints,
} from 'lucide-react';
import type { ComponentType, SVGProps } from 'react';

type IconComponent = ComponentType<SVGProps<SVGSVGElement> & { readonly size?: number | string }>;

/** Icons by the names that commands and kinds use. One icon for each kind, everywhere. */
const icons: Readonly<Record<string, IconComponent>> = {
  absent: PackageX,
  chevron: ChevronDown,
  chevrons: ChevronsUpDown,
  clusters: Ship,
  dashboard: CircleGauge,
  deployment: Layers,
  event: Bell,
  help: LifeBuoy,
  home: House,
  logout: LogOut,
  namespace: SquareDashed,
  node: Server,
  pod: Box,
  service: Waypoints,
  sidebar: PanelLeft,
  theme: SunMoon,
};

/** An icon by name; nothing for a name that has none. Decorative: the text beside it says the same. */
export function Icon({ name, size = 14 }: { readonly name: string | undefined; readonly size?: number }) {
  const Found = name === undefined ? undefined : icons[name];
  return Found === undefined ? null : <Found size={size} strokeWidth={1.75} aria-hidden="true" />;
}
