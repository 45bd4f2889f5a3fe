import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { useWorkspace } from '../workspace/port.ts';
import { useCell } from '../core/state/state.ts';
import { focusedTab } from '../workspace/layout.ts';
import { clusterOf } from '../workspace/place.ts';
import { useTitleOf } from './use-title-of.ts';

/** Keeps the browser's title at what the focused tab shows, with the number of unread notifications before it. */
export function useDocumentTitle(): void {
  const { registry } = useCommands();
  const { queries } = useData();
  const titleOf = useTitleOf();
  const { workspace } = useWorkspace();
  const href = useCell(workspace.state, (state) => focusedTab(state.layout).href);
  const clusters = useQuery(queries.clusters).data;
  const clusterId = clusterOf(registry, href);
  const cluster = clusters?.find((one) => one.id === clusterId)?.name;
  const title = titleOf(href);
  const unread = useQuery(queries.notifications).data?.unread;
  useEffect(() => {
    const words = [title, cluster, 'Wheelhouse'].filter(Boolean).join(' · ');
    document.title = unread === undefined || unread === 0 ? words : `(${unread}) ${words}`;
  }, [title, cluster, unread]);
}
