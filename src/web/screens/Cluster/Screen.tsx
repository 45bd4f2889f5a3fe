import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { plainTitle, type ScreenProps } from '../../../registry/command.ts';
import { sentenceOf } from '../../../registry/execute.ts';
import { fillPath } from '../../../registry/path.ts';
import { useApp } from '../../app/context.ts';
import { useNow } from '../../data/now.ts';
import { clock } from '../../data/live/freshness.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorAlert } from '../../ui/ErrorAlert.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PlaceLink } from '../../ui/Link.tsx';
import { Flag, StatusText } from '../../ui/marks.tsx';
import { clusterHealth, expiryOf, sourceText } from '../cluster-health.ts';
import { Page } from '../Page.tsx';

/** `/clusters/{id}`: the cluster itself: how it is, and the ways into it. */
export function Screen({ params }: ScreenProps) {
  const { queries, queryClient, api, registry } = useApp();
  const clusterId = Number(params.clusterId);
  const clusters = useQuery(queries.clusters);
  const permissions = useQuery(queries.permissions(clusterId)).data ?? [];
  const canSeeNamespaces = permissions.includes('namespaces.view');
  const namespaces = useQuery({ ...queries.namespaces(clusterId), enabled: canSeeNamespaces });
  const now = useNow();
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const cluster = clusters.data?.find((one) => one.id === clusterId);
  if (cluster === undefined) return null;

  const ask = () => {
    setAsking(true);
    setFailure(undefined);
    api
      .clusterState({ params: { clusterId } })
      .then(() => queryClient.invalidateQueries({ queryKey: queries.clusters.queryKey }))
      .then(() => queryClient.invalidateQueries({ queryKey: queries.namespaces(clusterId).queryKey }))
      .catch((error: unknown) => setFailure(error))
      .finally(() => setAsking(false));
  };
  const health = clusterHealth(cluster);
  const expiry = expiryOf(cluster.credentialExpiresAt, now);
  const { state } = cluster;
  const lists = registry.routes.filter(
    (command) =>
      command.kind !== undefined && typeof command.needs === 'string' && permissions.includes(command.needs),
  );
  const isBad = state.status === 'unreachable' || state.status === 'forbidden';
  return (
    <Page
      title={
        <span className="row">
          <Flag colour={cluster.colour} size={18} />
          {cluster.name}
        </span>
      }
      about={cluster.description}
      mode="CLUSTER"
      actions={
        <Button
          variant="secondary"
          icon={<RefreshCw size={14} strokeWidth={1.75} aria-hidden="true" />}
          isLoading={isAsking}
          loadingText="Asking..."
          onClick={ask}
        >
          Check now
        </Button>
      }
      status={state.checkedAt !== undefined && <span>Asked at {clock(Date.parse(state.checkedAt))}</span>}
    >
      <ErrorAlert
        title={
          state.status === 'forbidden'
            ? 'The cluster refuses the credential.'
            : 'The cluster cannot be reached.'
        }
        message={isBad ? (state.message ?? 'It gave no reason.') : undefined}
        onRetry={ask}
        isRetrying={isAsking}
      />
      <ErrorAlert message={failure === undefined ? undefined : sentenceOf(failure)} onRetry={ask} />
      <div className="home-columns">
        <section className="card" aria-labelledby={`facts-${clusterId}`}>
          <h2 id={`facts-${clusterId}`}>Cluster</h2>
          <dl className="kv">
            <dt>State</dt>
            <dd>
              <StatusText
                tone={health.tone}
                label={state.status === 'reachable' ? 'Reachable' : health.text}
              />
            </dd>
            <dt>Version</dt>
            <dd>{state.version ?? <span className="dim">–</span>}</dd>
            <dt>Server</dt>
            <dd className="mono">
              {cluster.server === '' ? <span className="dim">–</span> : cluster.server}
            </dd>
            <dt>Credential</dt>
            <dd>
              {expiry === undefined ? (
                'No end stated'
              ) : (
                <StatusText
                  tone={expiry.tone}
                  label={expiry.tone === 'bad' ? 'Expired' : `Ends in ${expiry.text}`}
                />
              )}
            </dd>
            <dt>Source</dt>
            <dd>{sourceText[cluster.source]}</dd>
            <dt>Namespaces</dt>
            <dd>
              {canSeeNamespaces ? (
                namespaces.isError ? (
                  <span className="sec">{sentenceOf(namespaces.error)}</span>
                ) : (
                  (namespaces.data?.length ?? <span className="dim">–</span>)
                )
              ) : (
                'Not visible to you'
              )}
            </dd>
          </dl>
        </section>
        <section className="card" aria-labelledby={`lists-${clusterId}`}>
          <h2 id={`lists-${clusterId}`}>Lists</h2>
          <ul className="lines-list">
            {lists.map((command) => (
              <li key={command.id}>
                <PlaceLink
                  className="line inset"
                  href={fillPath(command.path, { clusterId: String(clusterId) })}
                >
                  <Icon name={command.icon} />
                  <span className="grow">{plainTitle(command)}</span>
                </PlaceLink>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Page>
  );
}
