import type { Permission } from '../../contract/permissions.ts';
import { kindOfRoute, kindsWithoutFile } from '../../registry/kind-commands.ts';
import type { May } from '../../registry/registry.ts';
import type { ContextKeys } from '../../registry/when.ts';
import { kindById } from '../core/kinds/declared.ts';
import { isAdmin } from '../data/session.ts';
import { awaitsText } from '../features/edit/typed-ahead.ts';
import { focusedTab } from '../workspace/layout.ts';
import type { App } from '../core/context.ts';

/** What is known of this moment, for `when`. Comes from the workspace, never from the document's focus. */
export function contextOf(app: App): ContextKeys {
  const { workspace, registry, lists, logs, tools, graphs, overlays, palette, queryClient, queries } = app;
  const { layout, bare, clusterId } = workspace.state.get();
  const tab = focusedTab(layout);
  const match = registry.match(tab.href);
  const list = lists.of(tab.id);
  const graph = graphs.of(tab.id);
  const kind = graph?.ref()?.kind ?? kindOfRoute(match);
  const user = queryClient.getQueryData(queries.session.queryKey);
  const { menu, dialog } = overlays.get();
  return {
    shell: bare === null ? 'app' : 'public',
    overlay:
      workspace.drag.get() !== undefined
        ? 'drag'
        : dialog > 0
          ? 'dialog'
          : palette.get() !== undefined
            ? 'palette'
            : menu > 0
              ? 'menu'
              : 'none',
    focus:
      bare === null
        ? list !== undefined
          ? 'table'
          : logs.of(tab.id) !== undefined
            ? 'log'
            : graph !== undefined
              ? 'graph'
              : (tools.of(tab.id)?.name ?? (awaitsText(registry, tab.href) ? 'text' : 'page'))
        : 'none',
    kind: kind === undefined ? 'none' : (kindById(kind)?.id ?? kindsWithoutFile),
    row: list?.row() ?? 'none',
    entry: app.shownPalette.get()?.entry() ?? 'none',
    cluster: clusterId === undefined ? 'none' : 'selected',
    tiles: layout.root.type === 'group' ? 'one' : 'many',
    help: helpUrlOf(app) === undefined ? 'none' : 'named',
    role: user !== undefined && user !== null && isAdmin(user) ? 'admin' : 'member',
  };
}

/** Where people help each other, if this installation names a place. */
export function helpUrlOf({
  queryClient,
  queries,
}: Pick<App, 'queryClient' | 'queries'>): string | undefined {
  const url = queryClient.getQueryData(queries.config.queryKey)?.helpUrl;
  return url != null && /^https?:/.test(url) ? url : undefined;
}

/** Whether it is known what the person may do on the selected cluster. */
export function isPermissionKnown({ workspace, queryClient, queries }: App): boolean {
  const { clusterId } = workspace.state.get();
  return (
    clusterId === undefined || queryClient.getQueryData(queries.permissions(clusterId).queryKey) !== undefined
  );
}

/**
 * Resolves once it is known what the person may do on the selected cluster, or that this cannot be read. Undefined where
 * nothing of it is still to come.
 */
export function permissionComing({
  workspace,
  queryClient,
  queries,
}: Pick<App, 'workspace' | 'queryClient' | 'queries'>): Promise<unknown> | undefined {
  const { clusterId } = workspace.state.get();
  if (clusterId === undefined || queryClient.getQueryData(queries.session.queryKey) == null) return undefined;
  const asked = queries.permissions(clusterId);
  const state = queryClient.getQueryState(asked.queryKey);
  const isOver = state !== undefined && (state.status !== 'pending' || state.fetchStatus === 'paused');
  return isOver ? undefined : queryClient.ensureQueryData(asked).catch(() => undefined);
}

/** What the person may do on the selected cluster, as far as it is known. */
export function mayOf({ workspace, queryClient, queries }: App): May {
  const { clusterId } = workspace.state.get();
  const held: readonly Permission[] =
    clusterId === undefined ? [] : (queryClient.getQueryData(queries.permissions(clusterId).queryKey) ?? []);
  return (permission) => held.includes(permission);
}
