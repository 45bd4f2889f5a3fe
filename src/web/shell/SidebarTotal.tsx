import { useQuery } from '@tanstack/react-query';
import { useData } from '../data/port.ts';
import { pageIsOpen } from './page-open.ts';
import { sideCount } from './sidebar-look.ts';

/** Counts are asked for again this often, ms, while the page is on screen. */
const interval = 60_000;

interface SidebarTotalProps {
  readonly clusterId: number;
  readonly kindId: string;
  /** Of kinds that have namespaces, only what is in this one. */
  readonly namespace: string | undefined;
}

/** How many there are of a kind without a health. Only seen: its list tells it to everybody. */
export function SidebarTotal({ clusterId, kindId, namespace }: SidebarTotalProps) {
  const { api } = useData();
  const counts = useQuery({
    queryKey: ['counts', clusterId, namespace],
    staleTime: interval / 2,
    refetchInterval: interval,
    queryFn: async ({ signal }) => {
      await pageIsOpen;
      return (await api.counts({ params: { clusterId }, query: { namespace } }, { signal })).counts;
    },
  }).data;
  const count = counts?.[kindId];
  return count === undefined ? null : (
    <span className={sideCount} aria-hidden="true">
      {count}
    </span>
  );
}
