import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { sentenceOf } from '../../../registry/execute.ts';
import { splitHref } from '../../../registry/path.ts';
import { formatAge } from '../../../kube/age.ts';
import { useKept } from '../../core/state/port.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { useNow } from '../../data/now.ts';
import { isAdmin } from '../../data/session.ts';
import { iconOf, titleOf } from '../../workspace/titles.ts';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { useCell } from '../../core/state/state.ts';
import { Button } from '../../kit/Button.tsx';
import { cardAside, cardLook, cardTitle } from '../../kit/card.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Icon } from '../../kit/icons.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { Flag, StatusText } from '../../kit/marks.tsx';
import { State } from '../../kit/State.tsx';
import { clusterOf } from '../../workspace/place.ts';
import { parseSearch } from '../../workspace/search.ts';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { clusterHealth, worstFirst } from '../../data/cluster-health.ts';
import { Page } from '../../frame/Page.tsx';

/** A line of a card that leads somewhere; the icon before it is quiet, its status keeps its words. */
const lineLook = [
  'flex min-h-8 items-center gap-2 px-3 py-1.25 text-text hover:bg-row-hover focus-visible:-outline-offset-2',
  '[&>svg:not([data-mark])]:text-text-3 *:data-tone:flex-none narrow:min-h-row-touch',
].join(' ');
const itemLook = 'border-t border-hairline';

/** `/`: the clusters, worst first, and where the person was. */
export function Screen() {
  const { registry } = useCommands();
  const { queries } = useData();
  const { workspace } = useWorkspace();
  const clusters = useQuery(queries.clusters);
  const user = useQuery(queries.session).data;
  const isLong = useLongWait(clusters.isPending);
  const canAdd = user !== undefined && user !== null && isAdmin(user);
  const sorted = worstFirst(clusters.data ?? []);
  useFirstLine(clusters.data !== undefined);
  const failing = sorted.filter((one) => clusterHealth(one).tone === 'bad').length;
  const add = canAdd ? (
    <Button
      icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => workspace.open(`${registry.href('clusters.list')}?add=1`)}
    >
      Add clusters
    </Button>
  ) : undefined;
  return (
    <Page
      title={user?.companyName === undefined || user.companyName === '' ? 'Home' : user.companyName}
      mode="HOME"
      actions={sorted.length > 0 && add}
      status={
        clusters.data !== undefined && (
          <span>
            {sorted.length === 1 ? '1 cluster' : `${sorted.length} clusters`}
            {failing > 0 && `, ${failing} unreachable`}
          </span>
        )
      }
    >
      <ErrorAlert
        title="Could not load the clusters."
        message={clusters.isError ? sentenceOf(clusters.error) : undefined}
        onRetry={() => void clusters.refetch()}
        isRetrying={clusters.isFetching}
      />
      {clusters.isPending && isLong && <SkeletonRows isFramed />}
      {clusters.data !== undefined && sorted.length === 0 && (
        <State place="page" icon={<Icon name="clusters" size={22} />} title="No cluster yet" actions={add}>
          {canAdd
            ? 'Add one by its kubeconfig: paste it or drop the file.'
            : 'An Owner of your organisation can add clusters and grant your team access to them.'}
        </State>
      )}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))] items-start gap-2">
        {sorted.length > 0 && (
          <section className={cardLook} aria-labelledby="home-clusters">
            <h2 id="home-clusters" className={cardTitle}>
              Clusters <span className={cardAside}>worst first</span>
            </h2>
            <ul>
              {sorted.map((cluster) => (
                <li key={cluster.id} className={itemLook}>
                  <PlaceLink
                    className={lineLook}
                    href={registry.href('cluster.details', { clusterId: String(cluster.id) })}
                  >
                    <Flag colour={cluster.colour} size={14} />
                    <span className="flex min-w-0 flex-1 flex-col leading-4">
                      <b className="truncate font-medium">{cluster.name}</b>
                      <span className="truncate text-xs text-text-3">
                        {cluster.state.status === 'reachable' || cluster.state.message === undefined
                          ? cluster.description
                          : cluster.state.message}
                      </span>
                    </span>
                    <StatusText tone={clusterHealth(cluster).tone} label={clusterHealth(cluster).text} />
                  </PlaceLink>
                </li>
              ))}
            </ul>
          </section>
        )}
        <Recents />
      </div>
    </Page>
  );
}

/** Where the person was in this browser. */
function Recents() {
  const { registry } = useCommands();
  const { recents } = useKept();
  const { kinds, queries } = useData();
  const userId = useQuery(queries.session).data?.id;
  const clusters = useQuery(queries.clusters).data;
  const now = useNow();
  const all = useCell(recents.places(userId ?? 0));
  if (userId === undefined || clusters === undefined) return null;
  const places = all.flatMap(({ href, at }) => {
    const cluster = clusters.find((one) => one.id === clusterOf(registry, href));
    return cluster === undefined ? [] : [{ href, at, cluster }];
  });
  if (places.length === 0) return null;
  return (
    <section className={cardLook} aria-labelledby="home-recent">
      <h2 id="home-recent" className={cardTitle}>
        Recent places
      </h2>
      <ul>
        {places.map(({ href, at, cluster }) => {
          const { ns, q } = parseSearch(splitHref(href).search);
          const rest = [ns, q === undefined ? undefined : `“${q}”`]
            .filter((one) => one !== undefined)
            .join(' · ');
          return (
            <li key={href} className={itemLook}>
              <PlaceLink className={lineLook} href={href}>
                <Icon name={iconOf(registry, href)} />
                <span className="min-w-0 flex-1 truncate">
                  {titleOf({ registry, kinds }, href)}
                  {rest !== '' && <span className="text-text-3"> {rest}</span>}
                </span>
                <span className="flex min-w-0 items-center gap-1.5 text-text-2">
                  <Flag colour={cluster.colour} />
                  <span className="min-w-0 truncate">{cluster.name}</span>
                </span>
                <span className="w-13 text-right text-text-3">{formatAge((now - at) / 1000)}</span>
              </PlaceLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
