import type { FocusedGraph, FocusedLog, FocusedTool, Toaster } from '../../registry/commands/services.ts';
import type { Registry } from '../../registry/commands/registry.ts';
import { cell } from '../core/state/state.ts';
import type { DataPort } from '../data/port.ts';
import { lacksNamespace } from '../workspace/chosen-namespace.ts';
import { namesTiles } from '../workspace/link.ts';
import type { UnsavedTabs, WorkspacePort, EndedByTab, HeldByTab } from '../workspace/port.ts';
import { createPublished, type PublishedList } from '../workspace/published.ts';
import { TiledWorkspace } from '../workspace/workspace.ts';
import type { BeforeClosing, BrowserPlace } from '../workspace/workspace-store.ts';

/** Makes the workspace of the page, as its address asks for it. */
export function createTiles(
  registry: Registry,
  { queryClient, queries, kinds }: DataPort,
  place: BrowserPlace,
  toaster: Pick<Toaster, 'warning'>,
): WorkspacePort {
  const held = cell<HeldByTab>(new Map());
  const ended = cell<EndedByTab>(new Map());
  const losing = cell<UnsavedTabs | undefined>(undefined);
  const askBefore: BeforeClosing = (closing, go, isWay) => {
    const tabs = closing.filter((tab) => held.get().has(tab));
    if (tabs.length === 0) go();
    else losing.set({ tabs, go, isWay });
  };
  const workspace = new TiledWorkspace({
    registry,
    browser: place,
    beforeClosing: askBefore,
    isEnded: (tab) => ended.get().has(tab),
    known: {
      kinds,
      isMissing: lacksNamespace((clusterId) =>
        queryClient.getQueryData(queries.namespaces(clusterId).queryKey),
      ),
    },
  });
  if (namesTiles(place.href()) && !namesTiles(workspace.address())) {
    place.replace(workspace.address());
    toaster.warning('The tiles of this link could not be read', {
      detail: 'The link is incomplete or was changed: only the focused tile is shown.',
    });
  }
  return {
    workspace,
    lists: createPublished<PublishedList>(),
    logs: createPublished<FocusedLog>(),
    graphs: createPublished<FocusedGraph>(),
    tools: createPublished<FocusedTool>(),
    held,
    ended,
    losing,
  };
}
