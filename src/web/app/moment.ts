import { type Permission, teamRoles } from '../../contract/permissions.ts';
import { kindOfRoute, kindsWithoutFile, objectOfRoute } from '../../registry/commands/kind-commands.ts';
import type { May } from '../../registry/commands/registry.ts';
import { resolveSubject } from '../../registry/commands/subject.ts';
import type { ContextKeys } from '../../registry/commands/when.ts';
import type { Moment, PartsAtHand } from '../core/commands.ts';
import { kindById } from '../core/kinds/declared.ts';
import { helpUrlOf } from '../data/help-url.ts';
import { isAdmin } from '../data/session.ts';
import { awaitsText } from '../features/edit/typed-ahead.ts';
import { focusedGroup, focusedTab } from '../workspace/layout.ts';
import type { AppParts } from './app.ts';

/** The overlay that covers the tiles and takes their keys. */
function overlayOf({ tiles, overlays, palette }: AppParts): ContextKeys['overlay'] {
  const { menu, dialog } = overlays.get();
  if (tiles.workspace.drag.get() !== undefined) return 'drag';
  if (dialog > 0) return 'dialog';
  if (palette.palette.get() !== undefined) return 'palette';
  return menu > 0 ? 'menu' : 'none';
}

/** The type of the focused view, which decides what keys mean. */
function focusOf({ registry, tiles }: AppParts): ContextKeys['focus'] {
  const { layout, bare } = tiles.workspace.state.get();
  const tab = focusedTab(layout);
  if (bare !== null) return 'none';
  if (tiles.lists.of(tab.id) !== undefined) return 'table';
  if (tiles.logs.of(tab.id) !== undefined) return 'log';
  if (tiles.graphs.of(tab.id) !== undefined) return 'graph';
  return tiles.tools.of(tab.id)?.name ?? (awaitsText(registry, tab.href) ? 'text' : 'page');
}

/** The context keys of this moment, for `when`. They come from the workspace, never from the document's focus. */
function contextOf(parts: AppParts): ContextKeys {
  const { registry, tiles, palette, data } = parts;
  const { layout, bare, clusterId } = tiles.workspace.state.get();
  const tab = focusedTab(layout);
  const kind = tiles.graphs.of(tab.id)?.ref()?.kind ?? kindOfRoute(registry.match(tab.href));
  const user = data.queryClient.getQueryData(data.queries.session.queryKey);
  const isOwner = user !== undefined && user !== null && isAdmin(user);
  const teamId = registry.match(tab.href)?.params['teamId'];
  const team =
    teamId === undefined
      ? undefined
      : data.queryClient.getQueryData(data.queries.teams.queryKey)?.find(({ id }) => String(id) === teamId);
  return {
    shell: bare === null ? 'app' : 'public',
    overlay: overlayOf(parts),
    focus: focusOf(parts),
    kind: kind === undefined ? 'none' : (kindById(kind)?.id ?? kindsWithoutFile),
    row: tiles.lists.of(tab.id)?.row() ?? 'none',
    entry: palette.shownPalette.get()?.entry() ?? 'none',
    cluster: clusterId === undefined ? 'none' : 'selected',
    tiles: layout.root.type === 'group' ? 'one' : 'many',
    tabs: focusedGroup(layout).tabs.length > 1 ? 'many' : 'one',
    closed: tiles.workspace.closedTabs().length > 0 ? 'some' : 'none',
    change: parts.acting.heldChanges.get().length > 0 ? 'held' : 'none',
    help: helpUrlOf(data) === undefined ? 'none' : 'named',
    billing: data.queryClient.getQueryData(data.queries.config.queryKey)?.hasBilling === true ? 'on' : 'none',
    route: registry.match(tab.href)?.command.id ?? 'none',
    role: isOwner ? 'admin' : 'member',
    team: isOwner || team?.ownRole === teamRoles.TeamAdmin ? 'managed' : 'none',
  };
}

/**
 * Resolves once it is known what the person may do on the selected cluster, or that this cannot be read. Undefined where
 * nothing of it is still to come.
 */
export function permissionComing({
  tiles,
  data: { queryClient, queries },
}: Pick<AppParts, 'tiles' | 'data'>): Promise<unknown> | undefined {
  const { clusterId } = tiles.workspace.state.get();
  if (clusterId === undefined || queryClient.getQueryData(queries.session.queryKey) == null) return undefined;
  const asked = queries.permissions(clusterId);
  const state = queryClient.getQueryState(asked.queryKey);
  const isOver = state !== undefined && (state.status !== 'pending' || state.fetchStatus === 'paused');
  return isOver ? undefined : queryClient.ensureQueryData(asked).catch(() => undefined);
}

/** The person, the invitation and the trouble that the focused view shows or whose line has the focus. */
function partsAtHand({ registry, tiles, data: { queryClient, queries } }: AppParts): PartsAtHand {
  const link = document.activeElement?.closest('[role=tabpanel] a[href^="/"]');
  const tab = focusedTab(tiles.workspace.state.get().layout);
  const paths = [link?.getAttribute('href'), tab.href];
  const userId = paths.flatMap((path) => registry.match(path ?? '')?.params['userId'] ?? [])[0];
  const inviteId = document.activeElement?.closest('[data-invitation]')?.getAttribute('data-invitation');
  const line = document.activeElement?.closest('[data-trouble]')?.querySelector('a[href^="/"]');
  const trouble = line == null ? undefined : objectOfRoute(registry.match(line.getAttribute('href') ?? ''));
  const nameOf = (id: number) =>
    queryClient.getQueryData(queries.members.queryKey)?.find((one) => one.userId === id)?.name;
  const emailOf = (id: number) =>
    queryClient.getQueryData(queries.invitations.queryKey)?.invitations.find((one) => one.inviteId === id)
      ?.email;
  return {
    people: tiles.tools.of(tab.id)?.people ?? [],
    ...(trouble === undefined ? {} : { trouble }),
    ...(userId === undefined ? {} : { person: { id: Number(userId), name: nameOf(Number(userId)) } }),
    ...(inviteId == null ? {} : { invitation: { id: Number(inviteId), name: emailOf(Number(inviteId)) } }),
  };
}

/** Describes the focused view and the person at the moment of each call. */
export function createMoment(parts: AppParts): Moment {
  const { registry, tiles, data } = parts;
  const permissions = (): readonly Permission[] | undefined => {
    const { clusterId } = tiles.workspace.state.get();
    if (clusterId === undefined) return [];
    return data.queryClient.getQueryData(data.queries.permissions(clusterId).queryKey);
  };
  const subject = () => {
    const { layout, clusterId } = tiles.workspace.state.get();
    const tab = focusedTab(layout);
    const list = tiles.lists.of(tab.id);
    return resolveSubject({
      selection: list?.selection() ?? [],
      row: list?.rowRef() ?? tiles.graphs.of(tab.id)?.ref(),
      tile: objectOfRoute(registry.match(tab.href)),
      cluster: clusterId === undefined ? undefined : String(clusterId),
    });
  };
  return {
    context: () => contextOf(parts),
    may: (): May => {
      const held = permissions() ?? [];
      return (permission) => held.includes(permission);
    },
    isPermissionKnown: () => permissions() !== undefined,
    subject,
    atHand: () => partsAtHand(parts),
    rowTargets: () => {
      const acted = subject();
      if (acted.type !== 'objects' || acted.from !== 'row') return [];
      return tiles.lists.of(focusedTab(tiles.workspace.state.get().layout).id)?.rowTargets() ?? [];
    },
  };
}
