import {
  ArrowRight,
  Ban,
  Bell,
  Box,
  ChevronDown,
  ChevronsUpDown,
  CircleGauge,
  CirclePlay,
  Copy,
  Database,
  FileCode,
  FileText,
  House,
  Layers,
  LifeBuoy,
  LogOut,
  MessageSquareText,
  PackageX,
  PanelLeft,
  RotateCw,
  Scaling,
  Server,
  Shapes,
  Ship,
  SquareDashed,
  SunMoon,
  Tag,
  Trash2,
  Undo2,
  Waypoints,
} from 'lucide-react';
import type { ComponentType, SVGProps } from 'react';

type IconComponent = ComponentType<SVGProps<SVGSVGElement> & { readonly size?: number | string }>;

/** Icons by the names that commands and kinds use. One icon for each kind, everywhere. */
const icons: Readonly<Record<string, IconComponent>> = {
  absent: PackageX,
  annotation: MessageSquareText,
  chevron: ChevronDown,
  chevrons: ChevronsUpDown,
  clusters: Ship,
  cordon: Ban,
  dashboard: CircleGauge,
  delete: Trash2,
  deployment: Layers,
  event: Bell,
  evict: LogOut,
  help: LifeBuoy,
  home: House,
  label: Tag,
  logout: LogOut,
  logs: FileText,
  namespace: SquareDashed,
  node: Server,
  open: ArrowRight,
  pod: Box,
  replicaset: Copy,
  restart: RotateCw,
  rollback: Undo2,
  scale: Scaling,
  service: Waypoints,
  sidebar: PanelLeft,
  statefulset: Database,
  theme: SunMoon,
  uncordon: CirclePlay,
  object: Shapes,
  yaml: FileCode,
};

/** An icon by name; nothing for a name that has none. Decorative: the text beside it says the same. */
export function Icon({ name, size = 14 }: { readonly name: string | undefined; readonly size?: number }) {
  const Found = name === undefined ? undefined : icons[name];
  return Found === undefined ? null : <Found size={size} strokeWidth={1.75} aria-hidden="true" />;
}
