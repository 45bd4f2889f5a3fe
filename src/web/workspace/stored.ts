import type { ChosenNamespaces } from './chosen-namespace.ts';
import { type Layout, tilesOf } from './layout.ts';
import { consolePath } from './link.ts';
import type { Opener } from './tree.ts';
import type { StoredTab, StoredTiles } from './restore.ts';

/** Version of what is stored; another one is ignored. */
const version = 4;

/** The stored form of a workspace. */
interface StoredWorkspace {
  readonly layout: Layout;
  readonly clusterId: number | undefined;
  readonly namespaces: ChosenNamespaces;
}

/** The tabs of a browser tab, tile by tile, the selected cluster and namespaces, as text for its session storage. */
export function storeTabs({ layout, clusterId, namespaces }: StoredWorkspace): string {
  const tiles = tilesOf(layout).map((group) =>
    group.tabs.map(({ href, opener, isDuplicate }) => [
      href,
      wayBack(opener),
      ...(isDuplicate === true ? [true] : []),
    ]),
  );
  return JSON.stringify({ version, tiles, clusterId, namespaces });
}

/** The addresses of a way back, the nearest first. */
const wayBack = (opener: Opener | undefined): readonly string[] =>
  opener === undefined ? [] : [opener.href, ...wayBack(opener.opener)];

const ownPlace = (value: unknown) => consolePath(typeof value === 'string' ? value : null);

function readTab(value: unknown): readonly StoredTab[] {
  if (!Array.isArray(value)) return [];
  const href = ownPlace(value[0]);
  if (href === undefined) return [];
  const way = (Array.isArray(value[1]) ? value[1] : []).flatMap((one: unknown) => ownPlace(one) ?? []);
  return [{ href, way, ...(value[2] === true ? { isDuplicate: true as const } : {}) }];
}

function readNamespaces(value: unknown): ChosenNamespaces {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      ([cluster, name]) => /^[1-9]\d{0,8}$/.test(cluster) && typeof name === 'string' && name !== '',
    ),
  );
}

/** Reads the stored tabs; empty if this version did not write them. Foreign addresses are dropped. */
export function readTabs(text: string | null): {
  readonly tiles: StoredTiles;
  readonly clusterId?: number;
  readonly namespaces?: ChosenNamespaces;
} {
  if (text === null) return { tiles: [] };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return { tiles: [] };
    const { version: found, tiles: stored, clusterId, namespaces } = value as Record<string, unknown>;
    if (found !== version || !Array.isArray(stored)) return { tiles: [] };
    // However many there are: which of them somebody still wants is not known.
    const tiles = stored.map((tile) => (Array.isArray(tile) ? tile.flatMap(readTab) : []));
    return {
      tiles,
      ...(typeof clusterId === 'number' && Number.isInteger(clusterId) && clusterId > 0 ? { clusterId } : {}),
      namespaces: readNamespaces(namespaces),
    };
  } catch {
    return { tiles: [] };
  }
}
