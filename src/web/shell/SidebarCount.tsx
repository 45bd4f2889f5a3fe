import { skipToken, useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { kindById } from '../kinds/declared.ts';
import type { LiveList } from '../data/live/rows.ts';
import { type ListTarget, liveKey } from '../data/live/targets.ts';
import { useToneCounts } from '../resource/use-tone-counts.ts';
import { Glyph } from '../ui/marks.tsx';
import { Optional } from '../ui/Optional.tsx';

const SidebarTotal = lazy(async () => ({ default: (await import('./SidebarTotal.tsx')).SidebarTotal }));

/** A list that is whole and followed now, for whatever reason. */
function useFollowed(target: ListTarget): LiveList | undefined {
  const { data } = useQuery<LiveList>({
    queryKey: liveKey(target),
    queryFn: skipToken,
    structuralSharing: false,
  });
  return data?.complete === true && data.pausedAt === undefined ? data : undefined;
}

interface SidebarCountProps {
  readonly clusterId: number;
  readonly kindId: string;
}

/** How many there are, or how many fail, from a list that is being followed anyway; else how many there were lately. */
export function SidebarCount({ clusterId, kindId }: SidebarCountProps) {
  const plain = useFollowed({ clusterId, kind: kindId });
  // The same with what its objects use, which may be followed in its place.
  const wide = useFollowed({ clusterId, kind: kindId, wide: true });
  const data = plain ?? wide;
  const kind = kindById(kindId);
  const counts = useToneCounts(data === undefined ? undefined : kind, data?.rows);
  if (counts === undefined || data === undefined)
    return (
      <Optional what="Counts of the sidebar">
        <SidebarTotal clusterId={clusterId} kindId={kindId} />
      </Optional>
    );
  const { bad } = counts;
  if (bad === 0) return <span className="cnt">{data.rows.size}</span>;
  return (
    <span className="cnt bad">
      <Glyph tone="bad" size={10} />
      {bad}
      <span className="vh"> failing</span>
    </span>
  );
}
