import { KeyRound, Lock, SlidersHorizontal, Trash2 } from 'lucide-react';
import type { Cluster } from '../../../contract/clusters.ts';
import { useApp } from '../../app/context.ts';
import { useNow } from '../../data/now.ts';
import { IconButton } from '../../ui/Button.tsx';
import { cardLook } from '../../ui/card.ts';
import { PlaceLink } from '../../ui/Link.tsx';
import { Flag, StatusText } from '../../ui/marks.tsx';
import { clusterHealth, expiryOf, sourceText } from '../cluster-health.ts';

interface ClusterTableProps {
  readonly clusters: readonly Cluster[];
  readonly canManage: boolean;
  readonly onReplace: (cluster: Cluster) => void;
  readonly onDelete: (cluster: Cluster) => void;
}

/** The clusters as a table. */
export function ClusterTable({ clusters, canManage, onReplace, onDelete }: ClusterTableProps) {
  const { registry } = useApp();
  const now = useNow();
  return (
    <div className={`overflow-auto ${cardLook}`}>
      <table className="plain cluster-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col" className="wide-only">
              Version
            </th>
            <th scope="col" className="roomy-only">
              Server
            </th>
            <th scope="col" className="wide-only">
              Credential
            </th>
            <th scope="col" className="roomy-only">
              Source
            </th>
            {canManage && (
              <th scope="col">
                <span className="vh">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {clusters.map((cluster) => {
            const health = clusterHealth(cluster);
            const expiry = expiryOf(cluster.credentialExpiresAt, now);
            const isReachable = cluster.state.status === 'reachable';
            return (
              <tr key={cluster.id}>
                <td className="cl-name">
                  <span className="row">
                    <Flag colour={cluster.colour} size={14} />
                    <span className="two">
                      <span className="row">
                        <PlaceLink
                          className="name-link"
                          href={registry.href('cluster.details', { clusterId: String(cluster.id) })}
                        >
                          {cluster.name}
                        </PlaceLink>
                        {cluster.isProtected && <Lock size={11} strokeWidth={1.75} aria-label="protected" />}
                      </span>
                      {cluster.description !== '' && <span className="sub">{cluster.description}</span>}
                    </span>
                  </span>
                </td>
                <td className="cl-state">
                  <StatusText tone={health.tone} label={isReachable ? 'Reachable' : health.text} />
                  {!isReachable && cluster.state.message !== undefined && (
                    <span className="sub block">{cluster.state.message}</span>
                  )}
                  {expiry !== undefined && expiry.tone !== 'ok' && (
                    <span className="only-n">
                      <StatusText tone={expiry.tone} label={`Credential: ${expiry.text.toLowerCase()}`} />
                    </span>
                  )}
                </td>
                <td className="wide-only">{cluster.state.version ?? <span className="dim">–</span>}</td>
                <td className="roomy-only mono trunc-cell" title={cluster.server}>
                  {cluster.server === '' ? <span className="dim">–</span> : cluster.server}
                </td>
                <td className="wide-only">
                  {expiry === undefined ? (
                    <span className="dim">No end stated</span>
                  ) : (
                    <StatusText
                      tone={expiry.tone}
                      label={expiry.tone === 'bad' ? 'Expired' : `${expiry.text} left`}
                    />
                  )}
                </td>
                <td className="roomy-only sec">{sourceText[cluster.source]}</td>
                {canManage && (
                  <td className="acts">
                    <PlaceLink
                      className="icon-link"
                      aria-label={`Rules of ${cluster.name}`}
                      title={`Rules of ${cluster.name}`}
                      href={registry.href('cluster.globalSettings', { clusterId: String(cluster.id) })}
                    >
                      <SlidersHorizontal size={14} strokeWidth={1.75} aria-hidden="true" />
                    </PlaceLink>
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
