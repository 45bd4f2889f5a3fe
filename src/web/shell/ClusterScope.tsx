import { useQuery } from '@tanstack/react-query';
import { Unplug } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useCommands } from '../core/commands.ts';
import { useKept } from '../core/state/port.ts';
import { useData } from '../data/port.ts';
import { useWorkspace } from '../workspace/port.ts';
import { isDeletedHere } from '../data/deleting.ts';
import type { ListTarget } from '../data/live/targets.ts';
import { listTargetAt } from '../features/list/list-target.ts';
import { ScreenPending } from '../kit/ScreenPending.tsx';
import { Button } from '../kit/Button.tsx';
import { State } from '../kit/State.tsx';

interface ClusterScopeProps {
  readonly tab: string;
  readonly href: string;
  readonly children: ReactNode;
}

/**
 * The guard of routes with a cluster: the clusters are loaded first; an unknown or missing id, or clusters that
 * cannot be loaded, send a tab of the focused tile home, and are said in any other tile. A cluster that is merely
 * unreachable is a state of what is shown.
 */
export function ClusterScope({ tab, href, children }: ClusterScopeProps) {
  const { registry, services } = useCommands();
  const { columnChoices } = useKept();
  const { queries, queryClient, live, kinds } = useData();
  const { workspace } = useWorkspace();
  const match = registry.match(href);
  const id = match?.params.clusterId;
  const clusters = useQuery({ ...queries.clusters, enabled: id !== undefined });
  const isKnown = clusters.data?.some((cluster) => String(cluster.id) === id) ?? false;
  // A list being asked for again may be about to name the cluster.
  const isSettled = clusters.data === undefined ? clusters.isError : isKnown || !clusters.isFetching;
  const isLost = id !== undefined && isSettled && !isKnown;

  // The rows are asked for beside the clusters, not after them: who may see them is the server's to say.
  const ahead = isKnown || isLost ? undefined : listTargetAt(href, match, kinds, columnChoices.get());
  const aheadText = JSON.stringify(ahead);
  useEffect(() => {
    if (aheadText !== undefined) live.ahead(JSON.parse(aheadText) as ListTarget);
  }, [live, aheadText]);

  const name = clusters.data?.find((cluster) => String(cluster.id) === id)?.name;
  const seen = useRef<{ readonly id: string | undefined; readonly name: string } | undefined>(undefined);
  useEffect(() => {
    if (name !== undefined) seen.current = { id, name };
  }, [id, name]);
  // Before anything is painted: what leads home is never seen.
  useLayoutEffect(() => {
    if (!isLost) return;
    // Somebody who was looking at it hears why it went, unless it was their doing; a link that never led anywhere just leads home.
    const isOwn = isDeletedHere(queryClient, Number(id));
    if (seen.current?.id === id && seen.current !== undefined && !isOwn) {
      services.toast.warning(`You no longer have access to ${seen.current.name}`, {
        detail: 'It was removed from this console, or your teams lost access to it.',
      });
    }
    workspace.sendHome(tab);
  }, [isLost, queryClient, workspace, services, tab, id]);

  if (id === undefined || isKnown) return children;
  if (isLost) return <LostCluster tab={tab} id={id} />;
  return <ScreenPending />;
}

/** A tile beside the focused one whose cluster is not there, or not for this person. */
function LostCluster({ tab, id }: { readonly tab: string; readonly id: string }) {
  const { registry } = useCommands();
  const { workspace } = useWorkspace();
  const goHome = () => workspace.change({ type: 'href', tab, href: registry.href('home') }, 'replace');
  return (
    <State
      icon={<Unplug size={22} strokeWidth={1.75} aria-hidden="true" />}
      title="No such cluster"
      level={1}
      actions={
        <>
          <Button size="sm" variant="secondary" onClick={goHome}>
            Go home
          </Button>
          <Button size="sm" variant="transparent" onClick={() => workspace.closeTab(tab)}>
            Close
          </Button>
        </>
      }
    >
      Cluster {id} is gone, or it is not shared with you. Ask an Owner of your organisation which of the two
      it is.
    </State>
  );
}
