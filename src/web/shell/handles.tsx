import { useEffect, useRef, useState } from 'react';
import { useDrag, useDragDropManager, useDrop } from 'react-dnd';
import { MosaicDragType } from 'react-mosaic-component';
import { tellFailure } from '../../registry/commands/execute.ts';
import { useCommands } from '../core/commands.ts';
import { useWorkspace } from '../workspace/port.ts';
import { type Dragged, dropEdit, type Dropped, placeAmong } from '../workspace/mosaic-tree.ts';

/** The dragged item: Mosaic highlights its drop targets for one with these members. */
interface Carried {
  readonly mosaicId: string;
  readonly what: Dragged;
}

const barOf = (tile: string) => document.querySelector<HTMLElement>(`#tile-${tile} [data-tile-bar]`);

/** Lets an element be dragged, and does what its drop means. The element is drawn elsewhere: it is looked up. */
function useHandle(mosaicId: string, what: Dragged, isOn: boolean, find: () => HTMLElement | null): void {
  const { services } = useCommands();
  const { workspace } = useWorkspace();
  const manager = useDragDropManager();
  const pressed = useRef<Element | null>(null);
  const [isDragging, connect] = useDrag({
    type: MosaicDragType.WINDOW,
    item: (): Carried => ({ mosaicId, what }),
    canDrag: () => (pressed.current?.closest('button, [data-no-drag]') ?? null) === null,
    collect: (monitor) => monitor.isDragging(),
    end: (_, monitor) => {
      const drop = monitor.getDropResult<Dropped>();
      const edit =
        drop !== null && ('path' in drop || 'at' in drop)
          ? dropEdit(workspace.state.get().layout, what, drop)
          : undefined;
      if (edit === undefined) return;
      try {
        workspace.change(edit, 'push');
      } catch (error) {
        tellFailure(error, 'It could not be dropped there.', services);
      }
    },
  });
  useEffect(() => {
    const element = find();
    const note = (event: PointerEvent) => {
      pressed.current = event.target instanceof Element ? event.target : null;
    };
    // Only what can be dragged says so to the browser.
    connect(isOn ? element : null);
    element?.addEventListener('pointerdown', note);
    return () => element?.removeEventListener('pointerdown', note);
  });
  const { type } = what;
  useEffect(() => {
    if (!isDragging) return undefined;
    const cancel = () => manager.getActions().endDrag();
    workspace.drag.set(cancel);
    document.documentElement.dataset.dragging = type;
    return () => {
      delete document.documentElement.dataset.dragging;
      if (workspace.drag.get() === cancel) workspace.drag.set(undefined);
    };
  }, [isDragging, manager, workspace, type]);
}

interface TileHandleProps {
  readonly mosaicId: string;
  readonly tile: string;
  readonly isOn: boolean;
}

/** The free area of a tab bar is the handle of its tile. */
export function TileHandle({ mosaicId, tile, isOn }: TileHandleProps) {
  useHandle(mosaicId, { type: 'tile', tile }, isOn, () => barOf(tile));
  return null;
}

interface TabHandleProps {
  readonly mosaicId: string;
  readonly tab: string;
  readonly isOn: boolean;
}

/** A tab is its own handle. */
export function TabHandle({ mosaicId, tab, isOn }: TabHandleProps) {
  useHandle(mosaicId, { type: 'tab', tab }, isOn, () => document.getElementById(`tab-${tab}`));
  return null;
}

/** Where among the tabs of a tile a tab would stand at a point, and how far that is from the bar's left (px). */
function placeIn(
  tile: string,
  point: { readonly x: number } | null,
): { at: number; left: number } | undefined {
  const bar = barOf(tile);
  if (bar === null || point === null) return undefined;
  const tabs = [...bar.querySelectorAll('[role=tab]')];
  // The others have no room in the bar.
  const shown = tabs.filter((tab) => tab.checkVisibility());
  const boxes = shown.map((tab) => tab.getBoundingClientRect());
  const among = placeAmong(boxes, point.x);
  const start = bar.getBoundingClientRect().left;
  const next = shown[among];
  const last = shown.at(-1);
  const at = next !== undefined ? tabs.indexOf(next) : last === undefined ? 0 : tabs.indexOf(last) + 1;
  return { at, left: (boxes[among]?.left ?? boxes.at(-1)?.right ?? start) - start };
}

const markLook =
  'pointer-events-none absolute top-0 z-edge -ml-px h-tabbar w-0.5 bg-accent forced-colors:bg-[Highlight]';

/** The tab bar of a tile takes tabs, and marks where among its own one would stand. */
export function TabsTarget({ tile }: { readonly tile: string }) {
  const [left, setLeft] = useState(0);
  const [isOver, connect] = useDrop<Carried, Dropped | undefined, boolean>({
    accept: MosaicDragType.WINDOW,
    canDrop: ({ what }) => what.type === 'tab',
    hover: (_, monitor) => setLeft(placeIn(tile, monitor.getClientOffset())?.left ?? 0),
    drop: (_, monitor) => {
      const place = placeIn(tile, monitor.getClientOffset());
      return place === undefined ? undefined : { tile, at: place.at };
    },
    collect: (monitor) => monitor.isOver() && monitor.canDrop(),
  });
  useEffect(() => {
    connect(barOf(tile));
  });
  return isOver ? <div className={markLook} data-drop-mark style={{ left }} /> : null;
}
