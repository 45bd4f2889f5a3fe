import { useQueries, useQuery } from '@tanstack/react-query';
import { objectOfRoute } from '../../registry/kind-commands.ts';
import { splitHref } from '../../registry/path.ts';
import type { Registry } from '../../registry/registry.ts';
import { useCommands } from '../core/commands.ts';
import { useCell } from '../core/state/state.ts';
import { useData } from '../data/port.ts';
import { draftQuery } from '../features/edit/draft-query.ts';
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
  const { api, queries } = useData();
  const { workspace } = useWorkspace();
  const userId = useQuery(queries.session).data?.id ?? 0;
  // As one text, which keeps its identity while the same objects are edited.
  const joined = useCell(workspace.state, ({ layout }) =>
    JSON.stringify(allTabs(layout).flatMap(({ href }) => editPlaceOf(registry, href) ?? [])),
  );
  const places = [...new Set(JSON.parse(joined) as readonly string[])];
  const drafts = useQueries({
    queries: places.map((place) => ({
      ...draftQuery({ api, log: services.log, userId, place }),
      enabled: userId !== 0,
    })),
  });
  return (href) => {
    const place = editPlaceOf(registry, href);
    return place !== undefined && drafts[places.indexOf(place)]?.data != null;
  };
}
