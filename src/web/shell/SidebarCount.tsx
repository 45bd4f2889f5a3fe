import { kindById } from '../core/kinds/declared.ts';
import { SidebarTally } from './SidebarTally.tsx';
import { SidebarTotal } from './SidebarTotal.tsx';

interface SidebarCountProps {
  readonly clusterId: number;
  readonly kindId: string;
}

/**
 * How many objects of a kind there are, or how many of them fail. It comes from one place, whatever was visited: kinds
 * that have a health are followed by the server while anybody looks, the others are counted once a minute.
 */
export function SidebarCount({ clusterId, kindId }: SidebarCountProps) {
  const kind = kindById(kindId);
  const hasHealth = kind?.columns.some(({ format }) => format === 'status') === true;
  if (!hasHealth) return <SidebarTotal clusterId={clusterId} kindId={kindId} />;
  return <SidebarTally clusterId={clusterId} kindId={kindId} of="sidebar" />;
}
