import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type RefObject, useCallback } from 'react';
import type { Cluster } from '../../contract/clusters.ts';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { Badge } from '../kit/Badge.tsx';
import { PickerMenu } from '../kit/PickerMenu.tsx';
import { Flag, Glyph } from '../kit/marks.tsx';
import { clusterHealth } from '../data/cluster-health.ts';
import { restrictionText } from '../data/restriction.ts';
import { emptyTextOf } from '../kit/empty-text.ts';

interface ClusterMenuProps {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly selected: number | undefined;
  readonly onClose: () => void;
}

/** The list of the cluster dropdown: search by name, a check mark on the selected one. */
export function ClusterMenu({ anchor, selected, onClose }: ClusterMenuProps) {
  const { run } = useCommands();
  const { queries, warmUps } = useData();
  const clusters = useQuery(queries.clusters);
  const { data } = clusters;
  const onCursor = useCallback(
    (id: string | undefined) => {
      const cluster = data?.find((one) => String(one.id) === id);
      warmUps.pointAt(cluster?.state.status === 'reachable' ? cluster.id : undefined);
    },
    [data, warmUps],
  );
  return (
    <PickerMenu
      anchor={anchor}
      label="Clusters"
      placeholder="Search clusters..."
      emptyText={emptyTextOf(clusters, 'No clusters found', 'Failed to load clusters')}
      entries={(data ?? []).map((cluster) => ({
        id: String(cluster.id),
        text: cluster.name,
        content: <ClusterEntry cluster={cluster} />,
      }))}
      selected={selected === undefined ? undefined : String(selected)}
      onSelect={(id) => run('cluster.switch', { clusterId: Number(id) }, { source: 'menu' })}
      onCursor={onCursor}
      onClose={onClose}
    />
  );
}

function ClusterEntry({ cluster }: { readonly cluster: Cluster }) {
  const { tone, text } = clusterHealth(cluster);
  const restriction = restrictionText(cluster.namespaces);
  return (
    <>
      <Flag colour={cluster.colour} size={14} />
      <span className="flex min-w-0 flex-1 flex-col leading-4">
        <span className="flex min-w-0 items-center gap-1.5">
          <b className="min-w-0 truncate font-semibold">{cluster.name}</b>
          {cluster.environment !== undefined && <Badge>{cluster.environment}</Badge>}
          {cluster.isProtected && <Lock size={11} strokeWidth={1.75} aria-label="protected" />}
        </span>
        <span className="flex min-w-0 items-center gap-1.5 text-xs text-text-3">
          {tone !== 'ok' && <Glyph tone={tone} size={10} />}
          <span className="min-w-0 truncate">
            {restriction === undefined ? text : `${text} · ${restriction}`}
          </span>
        </span>
      </span>
    </>
  );
}
