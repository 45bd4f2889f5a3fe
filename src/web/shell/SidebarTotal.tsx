import { useQuery } from '@tanstack/react-query';
import { useApp } from '../app/context.ts';

/** Counts are asked for again this often, ms, while the page is on screen. */
const interval = 60_000;

/** What opens the page comes first. */
const isOpen = new Promise<void>((done) => setTimeout(done, 2_000));

interface SidebarTotalProps {
  readonly clusterId: number;
  readonly kindId: string;
}

/** How many there are of a kind that nobody follows here. Only seen: its list tells it to everybody. */
export function SidebarTotal({ clusterId, kindId }: SidebarTotalProps) {
  const { api } = useApp();
  const counts = useQuery({
    queryKey: ['counts', clusterId],
    staleTime: interval / 2,
    refetchInterval: interval,
    queryFn: async ({ signal }) => {
      await isOpen;
      return (await api.counts({ params: { clusterId } }, { signal })).counts;
    },
  }).data;
  const count = counts?.[kindId];
  return count === undefined ? null : (
    <span className="cnt" aria-hidden="true">
      {count}
    </span>
  );
}
