import { kindById } from '../core/kinds/declared.ts';
import { SidebarTally } from './SidebarTally.tsx';
import { SidebarTotal } from './SidebarTotal.tsx';

interface SidebarCountProps {
  readonly clusterId: number;
  readonly kindId: string;
}

/**
 * The number of objects of a kind, or of those that fail. It has one source, whatever pages were visited: the server
 * follows kinds that have a health while anybody looks, the others are counted once a minute.
 */
export function SidebarCount({ clusterId, kindId }: SidebarCountProps) {
  const kind = kindById(kindId);
  const hasHealth = kind?.columns.some(({ format }) => format === 'status') === true;
  if (!hasHealth) return <SidebarTotal clusterId={clusterId} kindId={kindId} />;
  return <SidebarTally clusterId={clusterId} kindId={kindId} of="sidebar" />;
}
