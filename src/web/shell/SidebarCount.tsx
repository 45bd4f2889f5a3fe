import { kindById } from '../core/kinds/declared.ts';
import { SidebarTally } from './SidebarTally.tsx';
import { SidebarTotal } from './SidebarTotal.tsx';

interface SidebarCountProps {
  readonly clusterId: number;
  readonly kindId: string;
  /** The namespace that its list is opened in; undefined for all of them. */
  readonly namespace: string | undefined;
}

/**
 * The number of objects that the list of a kind shows, or of those that fail. It has one source, whatever pages were visited: the server
 * follows kinds that have a health while anybody looks, the others are counted once a minute.
 */
export function SidebarCount({ clusterId, kindId, namespace }: SidebarCountProps) {
  const kind = kindById(kindId);
  const hasHealth = kind?.columns.some(({ format }) => format === 'status') === true;
  if (!hasHealth) return <SidebarTotal clusterId={clusterId} kindId={kindId} namespace={namespace} />;
  return <SidebarTally clusterId={clusterId} kindId={kindId} of="sidebar" namespace={namespace} />;
}
