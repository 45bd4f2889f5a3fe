import {
  ArrowRight,
  Ban,
  CirclePlay,
  CornerDownRight,
  FileCode,
  FileText,
  History,
  Keyboard,
  LogOut,
  MessageSquareText,
  RotateCw,
  Scaling,
  SunMoon,
  Tag,
  Trash2,
  Undo2,
} from 'lucide-react';
import type { IconComponent } from './icons.tsx';

/** Icons of what can be done: menus and dialogs show them, which no list waits for. */
const icons: Readonly<Record<string, IconComponent>> = {
  annotation: MessageSquareText,
  cordon: Ban,
  delete: Trash2,
  evict: LogOut,
  history: History,
  keyboard: Keyboard,
  label: Tag,
  logout: LogOut,
  logs: FileText,
  more: CornerDownRight,
  open: ArrowRight,
  restart: RotateCw,
  rollback: Undo2,
  scale: Scaling,
  theme: SunMoon,
  uncordon: CirclePlay,
  yaml: FileCode,
};

/** An icon of an action by name; nothing for a name that has none. */
export function ActionIcon({ name, size }: { readonly name: string; readonly size: number }) {
  const Found = icons[name];
  return Found === undefined ? null : <Found size={size} strokeWidth={1.75} aria-hidden="true" />;
}
