import { KeyRound, Lock, SlidersHorizontal, Trash2 } from 'lucide-react';
import type { Cluster } from '../../../contract/clusters.ts';
import { useCommands } from '../../core/commands.ts';
import { useClusterTimes } from '../../data/live/use-data-time.ts';
import { useWarmUp } from '../../data/use-warm-up.ts';
import { Badge } from '../../kit/Badge.tsx';
import { ButtonLink, IconButton } from '../../kit/Button.tsx';
import { cardLook } from '../../kit/card.ts';
import { PlaceLink } from '../../kit/Link.tsx';
import { Flag, StatusText } from '../../kit/marks.tsx';
import { stackingCell, tableLook, tableRow } from '../../kit/table.ts';
import { TableHead } from '../../kit/TableHead.tsx';
import { tipsToLeft } from '../../kit/tip.ts';
import { clusterHealth, expiryOf, sourceText } from '../../data/cluster-health.ts';

interface ClusterTableProps {
  readonly clusters: readonly Cluster[];
  readonly canManage: boolean;
  readonly onReplace: (cluster: Cluster) => void;
  readonly onDelete: (cluster: Cluster) => void;
}

/** In a narrow window: a cluster's name and what can be done with it; below, how it is. */
const rowLook = [
  tableRow,
  'narrow:grid narrow:grid-cols-[minmax(0,1fr)_auto] narrow:border-b narrow:border-hairline narrow:last:border-b-0',
  'narrow:pt-1.5 narrow:pr-1.5 narrow:pb-2 narrow:pl-3',
].join(' ');
const cell = `${stackingCell} md:py-1.5`;
const stateCell = `${cell} narrow:col-span-full narrow:row-start-2 narrow:pt-1 narrow:pr-1.5 narrow:pl-5`;
/** As narrow as its buttons; their names open to the left. */
const actionsCell = [
  stackingCell,
  'text-right whitespace-nowrap md:w-[1%] md:py-0.75 narrow:col-start-2 narrow:row-start-1',
  tipsToLeft,
].join(' ');
const columns = [
  { title: 'Name' },
  { title: 'State' },
  { title: 'Version', className: 'narrow:hidden' },
  { title: 'Server', className: 'max-lg:hidden' },
  { title: 'Credential', className: 'narrow:hidden' },
  { title: 'Source', className: 'max-lg:hidden' },
];
const emptyCell = <span className="font-normal text-text-3">–</span>;

/** The clusters as a table. */
export function ClusterTable({ clusters, canManage, onReplace, onDelete }: ClusterTableProps) {
  const { registry } = useCommands();
  const timeOf = useClusterTimes();
  return (
    <div className={`overflow-auto ${cardLook}`}>
      <table className={tableLook}>
        <TableHead columns={columns} hasActions={canManage} />
        <tbody>
          {clusters.map((cluster) => {
            const health = clusterHealth(cluster);
            const expiry = expiryOf(cluster.credentialExpiresAt, timeOf(cluster.id));
            const isReachable = cluster.state.status === 'reachable';
            return (
              <tr key={cluster.id} className={rowLook}>
                <td className={`${cell} narrow:pt-2`}>
                  <span className="flex min-w-0 items-start gap-1.5">
                    <Flag colour={cluster.colour} size={14} className="mt-px" />
                    <span className="flex min-w-0 flex-col leading-4">
                      <span className="flex min-w-0 flex-wrap items-center gap-1.5">
                        <ClusterName cluster={cluster} />
                        {cluster.environment !== undefined && <Badge>{cluster.environment}</Badge>}
                      </span>
                      {cluster.description !== '' && (
                        <span className="text-xs text-text-3">{cluster.description}</span>
                      )}
                    </span>
                  </span>
                </td>
                <td className={stateCell}>
                  <StatusText tone={health.tone} label={isReachable ? 'Reachable' : health.text} />
                  {!isReachable && cluster.state.message !== undefined && (
                    <span className="block text-xs text-text-3">{cluster.state.message}</span>
                  )}
                  {expiry !== undefined && expiry.tone !== 'ok' && (
                    <span className="flex md:hidden">
                      <StatusText tone={expiry.tone} label={`Credential: ${expiry.text.toLowerCase()}`} />
                    </span>
                  )}
                </td>
                <td className={`${cell} narrow:hidden`}>{cluster.state.version ?? emptyCell}</td>
                <td className={`mono max-w-80 truncate ${cell} max-lg:hidden`} title={cluster.server}>
                  {cluster.server === '' ? emptyCell : cluster.server}
                </td>
                <td className={`${cell} narrow:hidden`}>
                  {expiry === undefined ? (
                    <span className="font-normal text-text-3">No expiry date</span>
                  ) : (
                    <StatusText
                      tone={expiry.tone}
                      label={expiry.tone === 'bad' ? 'Expired' : `${expiry.text} left`}
                    />
                  )}
                </td>
                <td className={`text-text-2 ${cell} max-lg:hidden`}>{sourceText[cluster.source]}</td>
                {canManage && (
                  <td className={actionsCell}>
                    <ButtonLink
                      variant="transparent"
                      size="sm"
                      isIcon
                      aria-label={`Rules of ${cluster.name}`}
                      title={`Rules of ${cluster.name}`}
                      href={registry.href('cluster.globalSettings', { clusterId: String(cluster.id) })}
                    >
                      <SlidersHorizontal size={14} strokeWidth={1.75} aria-hidden="true" />
                    </ButtonLink>
                    {cluster.source === 'kubeconfig' && (
                      <IconButton
                        size="sm"
                        label={`Replace the kubeconfig of ${cluster.name}`}
                        onClick={() => onReplace(cluster)}
                      >
                        <KeyRound size={14} strokeWidth={1.75} aria-hidden="true" />
                      </IconButton>
                    )}
                    <IconButton size="sm" label={`Delete ${cluster.name}`} onClick={() => onDelete(cluster)}>
                      <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
                    </IconButton>
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The name of a cluster, which leads to it. */
function ClusterName({ cluster }: { readonly cluster: Cluster }) {
  const { registry } = useCommands();
  const warming = useWarmUp(cluster);
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <PlaceLink
        {...warming}
        className="font-medium text-text underline-offset-2 hover:underline"
        href={registry.href('cluster.details', { clusterId: String(cluster.id) })}
      >
        {cluster.name}
      </PlaceLink>
      {cluster.isProtected && <Lock size={11} strokeWidth={1.75} aria-label="protected" />}
    </span>
  );
}
