import { type FocusEvent, type PointerEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useWorkspace } from '../workspace/port.ts';
import { useCell } from '../core/state/state.ts';
import { createHosts } from '../workspace/hosts.ts';
import { mountedTabs, tilesOf } from '../workspace/layout.ts';
import { namesOf, type TileNames } from '../workspace/tile-names.ts';
import { Parking } from '../workspace/Parking.tsx';
import { Optional } from '../kit/Optional.tsx';
import { TabView } from './TabView.tsx';
import type { TabGroup } from '../workspace/tree.ts';
import { useKeptFocus } from '../workspace/use-kept-focus.ts';
import { Tile } from './Tile.tsx';
import { useFrame } from './use-frame.ts';
import { useNarrow } from '../core/use-sidebar.ts';
import { lazyPart } from '../kit/lazy-part.ts';

const Boundaries = lazyPart(async () => (await import('./Boundaries.tsx')).Boundaries);

/** Views kept mounted over the whole workspace. */
const viewLimit = 10;

/** The tiles, where the layout says; the views of their tabs, wherever those stand. */
export function Deck() {
  const { workspace, held } = useWorkspace();
  const { layout } = useCell(workspace.state);
  const isNarrow = useNarrow();
  const hosts = useMemo(() => createHosts(), []);
  const parked = useRef<HTMLDivElement>(null);
  const slots = useRef(new Map<string, HTMLElement>());
  const bodies = useRef(new Map<string, HTMLElement>());
  const tiles = tilesOf(layout);
  const names = useNames(tiles);
  const { Frame, kind, load } = useFrame(tiles.length);
  const mounted = mountedTabs(layout, viewLimit, useCell(held));
  const views = tiles.flatMap((group) =>
    group.tabs.flatMap((tab) => (mounted.has(tab.id) ? [{ tab: tab.id, group }] : [])),
  );
  // A window too narrow for two shows one at a time.
  const isCovering = tiles.length > 1 && (isNarrow || layout.isMaximised);
  useKeptFocus(layout);

  const focusTile = (event: PointerEvent | FocusEvent) => {
    const tile = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tile]') : null;
    const id = tile?.dataset.tile;
    if (id !== undefined && id !== workspace.state.get().layout.focused)
      workspace.change({ type: 'focus', tile: id }, 'replace');
  };
  const homes = new Map([
    ...views.map(({ tab, group }) => [viewId(tab), group.id] as const),
    ...tiles.map(({ id }) => [tileId(id), `${kind} ${names.get(id)}`] as const),
  ]);

  return (
    <div
      // Half a gutter around each tile: none outside.
      className="relative m-[calc(var(--spacing-gutter)/-2)] min-h-0 min-w-0 flex-1 narrow:[--spacing-gutter:0rem]"
      data-covering={isCovering || undefined}
      onPointerDownCapture={focusTile}
      onFocusCapture={focusTile}
      onPointerOverCapture={(event) => {
        if (event.target instanceof Element && event.target.closest('[data-tile-bar]') !== null) load();
      }}
    >
      <div ref={parked} className="pointer-events-none absolute inset-0" />
      <Parking
        homes={homes}
        park={(ids) => {
          if (parked.current !== null) hosts.park(ids, parked.current);
        }}
      />
      <Frame
        layout={layout}
        tiles={tiles}
        names={names}
        isCovering={isCovering}
        slot={(tile, element) => note(slots.current, tile, element)}
      />
      {tiles.map((group, index) =>
        createPortal(
          <Tile
            group={group}
            isFocused={group.id === layout.focused}
            isShown={!isCovering || group.id === layout.focused}
            isCovering={isCovering}
            index={index}
            count={tiles.length}
            bodyRef={(body) => note(bodies.current, group.id, body)}
          />,
          hosts.of(tileId(group.id)),
          group.id,
        ),
      )}
      <Placement
        place={() =>
          hosts.place([
            ...tiles.flatMap(({ id }) => wanted(tileId(id), slots.current.get(id))),
            ...views.flatMap(({ tab, group }) => wanted(viewId(tab), bodies.current.get(group.id))),
          ])
        }
      />
      {views.map(({ tab, group }) =>
        createPortal(
          <TabView
            tab={tab}
            isVisible={tab === group.active && (!isCovering || group.id === layout.focused)}
            isFocused={tab === group.active && group.id === layout.focused}
          />,
          hosts.of(viewId(tab)),
          tab,
        ),
      )}
      {tiles.length > 1 && !isCovering && (
        // Without them the tiles still work, and are resized by commands.
        <Optional what="Resizing tiles by keyboard">
          <Boundaries />
        </Optional>
      )}
    </div>
  );
}

const tileId = (tile: string) => `tile ${tile}`;
const viewId = (tab: string) => `view ${tab}`;

const wanted = (id: string, into: HTMLElement | undefined) => (into === undefined ? [] : [{ id, into }]);

function note(elements: Map<string, HTMLElement>, id: string, element: HTMLElement | null): void {
  if (element === null) elements.delete(id);
  else elements.set(id, element);
}

/** The names that tiles are drawn by; those of before as far as they fit. */
function useNames(tiles: readonly TabGroup[]): TileNames {
  const [known, setKnown] = useState<TileNames>(new Map());
  const names = namesOf(
    known,
    tiles.map(({ id }) => id),
  );
  if (names !== known) setKnown(names);
  return names;
}

/** Stands between the tiles and the views: their elements are in place before the views measure themselves. */
function Placement({ place }: { readonly place: () => void }) {
  useLayoutEffect(place);
  return null;
}
