import { type FocusEvent, lazy, type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';
import { loadDrag } from '../workspace/begin-drag.ts';
import { placesOf } from '../workspace/geometry.ts';
import { createHosts } from '../workspace/hosts.ts';
import { type Layout, mountedTabs, tilesOf } from '../workspace/layout.ts';
import { Optional } from '../ui/Optional.tsx';
import { TabView } from '../workspace/TabView.tsx';
import { useKeptFocus } from '../workspace/use-kept-focus.ts';
import { Tile } from './Tile.tsx';
import { useNarrow } from './use-sidebar.ts';

const loadBoundaries = () => import('../workspace/Boundaries.tsx');
const Boundaries = lazy(async () => ({ default: (await loadBoundaries()).Boundaries }));

/** Views kept mounted over the whole workspace. */
const viewLimit = 10;
const everything = { left: 0, top: 0, width: 100, height: 100 };

/** Which tab stands in which tile, and the tiles' order: what must change for elements to move. */
const orderOf = (layout: Layout) =>
  tilesOf(layout)
    .map(
      ({ id, tabs }) =>
        `${id}:${tabs
          .map((tab) => tab.id)
          .sort()
          .join(',')}`,
    )
    .join(' ');

/** The tiles, where the layout says; the views of their tabs, wherever those stand. */
export function Deck() {
  const { workspace, held } = useApp();
  const { layout } = useCell(workspace.state);
  const isNarrow = useNarrow();
  const hosts = useMemo(() => createHosts(), []);
  const deck = useRef<HTMLDivElement>(null);
  const bodies = useRef(new Map<string, HTMLElement>());
  const tiles = tilesOf(layout);
  const places = placesOf(layout.root);
  const mounted = mountedTabs(layout, viewLimit, useCell(held));
  // A window too narrow for two shows one at a time.
  const isCovering = tiles.length > 1 && (isNarrow || layout.isMaximised);
  useKeptFocus(layout);

  useEffect(() => {
    let order = orderOf(workspace.state.get().layout);
    return workspace.state.subscribe(() => {
      const next = orderOf(workspace.state.get().layout);
      if (next !== order) hosts.noteScroll();
      order = next;
    });
  }, [workspace, hosts]);

  // What a second tile needs is there before it is asked for.
  useEffect(() => {
    const load = () => {
      // What fails now is loaded, and told of, when it is needed.
      void loadBoundaries().catch(() => undefined);
      void loadDrag().catch(() => undefined);
    };
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(load, 2_000);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(load);
    return () => cancelIdleCallback(idle);
  }, []);

  const focusTile = (event: PointerEvent | FocusEvent) => {
    const tile = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tile]') : null;
    const id = tile?.dataset.tile;
    if (id !== undefined && id !== workspace.state.get().layout.focused)
      workspace.change({ type: 'focus', tile: id }, 'replace');
  };

  return (
    <div ref={deck} className="deck" onPointerDownCapture={focusTile} onFocusCapture={focusTile}>
      {tiles.map((group, index) => (
        <Tile
          key={group.id}
          group={group}
          isFocused={group.id === layout.focused}
          isShown={!isCovering || group.id === layout.focused}
          isCovering={isCovering}
          index={index}
          count={tiles.length}
          place={isCovering ? everything : (places.get(group.id) ?? everything)}
          bodyRef={(body) => {
            if (body === null) bodies.current.delete(group.id);
            else bodies.current.set(group.id, body);
          }}
        />
      ))}
      <Placement
        place={() => {
          hosts.place(
            tiles.flatMap((group) => {
              const body = bodies.current.get(group.id);
              return body === undefined
                ? []
                : group.tabs.flatMap(({ id: tab }) => (mounted.has(tab) ? [{ tab, body }] : []));
            }),
          );
          hosts.restoreScroll();
        }}
      />
      {tiles.flatMap((group) =>
        group.tabs.flatMap((tab) =>
          mounted.has(tab.id)
            ? [
                createPortal(
                  <TabView
                    tab={tab.id}
                    isVisible={tab.id === group.active && (!isCovering || group.id === layout.focused)}
                    isFocused={tab.id === group.active && group.id === layout.focused}
                  />,
                  hosts.of(tab.id),
                  tab.id,
                ),
              ]
            : [],
        ),
      )}
      {tiles.length > 1 && !isCovering && (
        // Without them the tiles still work, and are resized by commands.
        <Optional what="Dragging the boundaries between tiles">
          <Boundaries deck={deck} />
        </Optional>
      )}
    </div>
  );
}

/** Stands between the tiles and the views: their elements are in place before the views measure themselves. */
function Placement({ place }: { readonly place: () => void }) {
  useLayoutEffect(place);
  return null;
}
