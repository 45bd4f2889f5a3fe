import { type CSSProperties, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { useApp } from '../app/context.ts';
import { titleOf } from '../shell/titles.ts';
import { useCell } from '../state/state.ts';
import { type Boundary, boundariesOf } from './geometry.ts';
import { activeTab, tilesOf } from './layout.ts';

/** Per cents that an arrow moves a boundary, and with shift. */
const step = 2;
const bigStep = 10;

/**
 * The boundaries between tiles: to be dragged, moved by arrows (Home and End go as far as possible), and put in the
 * middle by Enter or a double click.
 */
export function Boundaries({ deck }: { readonly deck: RefObject<HTMLDivElement | null> }) {
  const app = useApp();
  const { workspace } = app;
  const { layout } = useCell(workspace.state);
  const tiles = tilesOf(layout);
  const nameOf = (ids: readonly string[]) =>
    tiles
      .filter(({ id }) => ids.includes(id))
      .map((group) => titleOf(app, activeTab(group).href))
      .join(', ');
  const set = ({ split, index }: Boundary, size: number, mode: 'replace' | 'none') =>
    workspace.change({ type: 'resize', split, index, size }, mode);

  const press = (event: KeyboardEvent, boundary: Boundary) => {
    const { size, least, most } = boundary;
    const by = event.shiftKey ? bigStep : step;
    const [back, ahead] =
      boundary.direction === 'row' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const to: Readonly<Record<string, number>> = {
      [back]: size - by,
      [ahead]: size + by,
      Home: least,
      End: most,
      Enter: (least + most) / 2,
    };
    const wanted = to[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    set(boundary, wanted, 'replace');
  };

  const drag = (event: PointerEvent<HTMLDivElement>, boundary: Boundary) => {
    if (event.button !== 0 || deck.current === null) return;
    const handle = event.currentTarget;
    const { left, top, width, height } = deck.current.getBoundingClientRect();
    const { within, direction, at, size } = boundary;
    const isRow = direction === 'row';
    const length = isRow ? (width * within.width) / 100 : (height * within.height) / 100;
    const start = isRow ? left + (width * within.left) / 100 : top + (height * within.top) / 100;
    const sizeAt = (move: globalThis.PointerEvent) =>
      (((isRow ? move.clientX : move.clientY) - start) * 100) / length - (at - size);
    handle.setPointerCapture(event.pointerId);
    const follow = (move: globalThis.PointerEvent) => set(boundary, sizeAt(move), 'none');
    // The address is written once, where it was let go.
    const finish = (to: number) => {
      handle.removeEventListener('pointermove', follow);
      handle.removeEventListener('pointerup', release);
      handle.removeEventListener('pointercancel', cancel);
      workspace.drag.set(undefined);
      set(boundary, to, 'replace');
    };
    const release = (move: globalThis.PointerEvent) => finish(sizeAt(move));
    const cancel = () => finish(size);
    workspace.drag.set(cancel);
    handle.addEventListener('pointermove', follow);
    handle.addEventListener('pointerup', release);
    handle.addEventListener('pointercancel', cancel);
  };

  return boundariesOf(layout).map((boundary) => {
    const { split, index, direction, within, at, size, least, most, before, behind } = boundary;
    const isRow = direction === 'row';
    const style = {
      '--l': within.left + (isRow ? (within.width * at) / 100 : 0),
      '--t': within.top + (isRow ? 0 : (within.height * at) / 100),
      '--w': within.width,
      '--h': within.height,
    } as CSSProperties;
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that has a value is a control
      <div
        key={`${split}-${index}`}
        className={`boundary ${direction}`}
        role="separator"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator that has a value is a control
        tabIndex={0}
        aria-orientation={isRow ? 'vertical' : 'horizontal'}
        aria-label={`Between ${nameOf(before)} and ${nameOf(behind)}`}
        aria-controls={[...before, ...behind].map((id) => `tile-${id}`).join(' ')}
        aria-valuenow={Math.round(size)}
        aria-valuemin={Math.round(least)}
        aria-valuemax={Math.round(most)}
        style={style}
        onKeyDown={(event) => press(event, boundary)}
        onPointerDown={(event) => drag(event, boundary)}
        onDoubleClick={() => set(boundary, (least + most) / 2, 'replace')}
      />
    );
  });
}
