import { notifyManager, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { objectOfRoute } from '../../registry/commands/kind-commands.ts';
import { splitHref } from '../../registry/path.ts';
import type { Registry } from '../../registry/commands/registry.ts';
import { useCommands } from '../core/commands.ts';
import { useCell } from '../core/state/state.ts';
import { useData } from '../data/port.ts';
import { draftQuery, unsentKey } from '../features/edit/draft-query.ts';
import { editPlace } from '../features/edit/place.ts';
import { allTabs } from '../workspace/layout.ts';
import { useWorkspace } from '../workspace/port.ts';
import { parseSearch } from '../workspace/search.ts';

/** The place of the draft of what a tab edits; undefined for a tab that edits nothing. */
export function editPlaceOf(registry: Pick<Registry, 'match'>, href: string): string | undefined {
  if (parseSearch(splitHref(href).search).view !== 'edit') return undefined;
  const ref = objectOfRoute(registry.match(href));
  return ref === undefined ? undefined : editPlace(ref);
}

/** Whether a tab edits something of which a draft is kept, also before its view is there: after a reload, for one. */
export function useKeptEdits(): (href: string) => boolean {
  const { registry, services } = useCommands();
  const { api, queries, queryClient } = useData();
  const { workspace } = useWorkspace();
  const userId = useQuery(queries.session).data?.id ?? 0;
  // As one text, which keeps its identity while the same objects are edited.
  const joined = useCell(workspace.state, ({ layout }) =>
    JSON.stringify(allTabs(layout).flatMap(({ href }) => editPlaceOf(registry, href) ?? [])),
  );
  const places = useMemo(() => [...new Set(JSON.parse(joined) as readonly string[])], [joined]);
  const { log } = services;
  useEffect(() => {
    if (userId === 0) return;
    for (const place of places) void queryClient.prefetchQuery(draftQuery({ api, log, userId, place }));
  }, [queryClient, api, log, userId, places]);
  // Read where drafts are kept: a query for each place would bring code that nothing else of the first screen needs.
  const kept = useSyncExternalStore(
    useCallback(
      (listener: () => void) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(listener)),
      [queryClient],
    ),
    () =>
      JSON.stringify(places.filter((place) => queryClient.getQueryData(unsentKey(userId, place)) != null)),
  );
  return (href) => {
    const place = editPlaceOf(registry, href);
    return place !== undefined && (JSON.parse(kept) as readonly string[]).includes(place);
  };
}
