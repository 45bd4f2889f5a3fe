import { type Layout, tilesOf } from './layout.ts';
import { placeOf } from './link.ts';
import type { StoredTab, StoredTiles } from './restore.ts';

/** Version of what is stored; another one is ignored. */
const version = 3;

/** The tabs of a browser tab, tile by tile, and the selected cluster, as text for its session storage. */
export function storeTabs(layout: Layout, clusterId: number | undefined): string {
  const tiles = tilesOf(layout).map((group) =>
    group.tabs.map(({ href, opener }) => (opener === undefined ? [href] : [href, opener.href])),
  );
  return JSON.stringify({ version, tiles, clusterId });
}

const ownPlace = (value: unknown) => placeOf(typeof value === 'string' ? value : null);

function readTab(value: unknown): readonly StoredTab[] {
  if (!Array.isArray(value)) return [];
  const [href, opener] = [ownPlace(value[0]), ownPlace(value[1])];
  if (href === undefined) return [];
  return [opener === undefined ? { href } : { href, opener }];
}

/** What was stored, or nothing when it does not read as what this version writes. Foreign addresses are dropped. */
export function readTabs(text: string | null): {
  readonly tiles: StoredTiles;
  readonly clusterId?: number;
} {
  if (text === null) return { tiles: [] };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return { tiles: [] };
    const { version: found, tiles: stored, clusterId } = value as Record<string, unknown>;
    if (found !== version || !Array.isArray(stored)) return { tiles: [] };
    const tiles = stored.slice(0, 20).map((tile) => {
      if (!Array.isArray(tile)) return [];
      return tile.slice(0, 50).flatMap(readTab);
    });
    return typeof clusterId === 'number' && Number.isInteger(clusterId) && clusterId > 0
      ? { tiles, clusterId }
      : { tiles };
  } catch {
    return { tiles: [] };
  }
}
