import { skipToken, useQuery } from '@tanstack/react-query';
import { kindById } from '../data/kinds.ts';
import type { LiveList } from '../data/live/rows.ts';
import { liveKey } from '../data/live/targets.ts';
import { toneCounts } from '../resource/tones.ts';
import { Glyph } from '../ui/marks.tsx';

interface SidebarCountProps {
  readonly clusterId: number;
  readonly kindId: string;
}

/** How many there are, or how many fail: from a list that is being followed anyway, else nothing. */
export function SidebarCount({ clusterId, kindId }: SidebarCountProps) {
  const { data } = useQuery<LiveList>({
    queryKey: liveKey({ clusterId, kind: kindId }),
    queryFn: skipToken,
    structuralSharing: false,
  });
  const kind = kindById(kindId);
  if (kind === undefined || data === undefined || !data.complete || data.pausedAt !== undefined) return null;
  const bad = toneCounts(kind, data.rows).bad;
  if (bad === 0) return <span className="cnt">{data.rows.size}</span>;
  return (
    <span className="cnt bad">
      <Glyph tone="bad" size={10} />
      {bad}
      <span className="vh"> failing</span>
    </span>
  );
}
