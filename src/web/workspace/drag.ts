import { tellFailure } from '../../registry/execute.ts';
import type { App } from '../app/context.ts';
import type { Dragged } from './begin-drag.ts';
import { type Drop, dropAt, type TileBox } from './drop.ts';

/** How far a press must move to be a drag (px). */
const threshold = 6;

const tileBoxes = (): readonly TileBox[] =>
  [...document.querySelectorAll<HTMLElement>('[data-tile]:not([hidden])')].map((tile) => {
    const { left, top, width, height } = tile.getBoundingClientRect();
    return {
      id: tile.dataset.tile ?? '',
      left,
      top,
      width,
      height,
      bar: tile.querySelector('.tabs')?.getBoundingClientRect().height ?? 0,
      tabs: [...tile.querySelectorAll('[role=tab]')].map((tab) => tab.getBoundingClientRect()),
    };
  });

/** Follows a press until it is let go or given up: shows where what is dragged would go, and puts it there. */
export function followDrag(
  { workspace, services }: Pick<App, 'workspace' | 'services'>,
  from: { readonly x: number; readonly y: number; readonly pointer: number },
  what: Dragged,
): void {
  let tiles: readonly TileBox[] | undefined;
  let drop: Drop | undefined;
  const mark = document.createElement('div');
  mark.className = 'drop-mark';
  mark.hidden = true;

  const move = (event: PointerEvent) => {
    if (event.pointerId !== from.pointer) return;
    // Let go where this page could not see it.
    if (event.buttons === 0) {
      end();
      return;
    }
    if (tiles === undefined) {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < threshold) return;
      tiles = tileBoxes();
      workspace.drag.set(end);
      document.body.append(mark);
      document.documentElement.classList.add('dragging');
    }
    drop = dropAt(tiles, what, event.clientX, event.clientY);
    mark.hidden = drop === undefined;
    if (drop === undefined) return;
    const { left, top, width, height } = drop.mark;
    mark.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
  };
  const end = () => {
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', release);
    window.removeEventListener('pointercancel', end);
    document.documentElement.classList.remove('dragging');
    mark.remove();
    if (workspace.drag.get() === end) workspace.drag.set(undefined);
  };
  const release = (event: PointerEvent) => {
    if (event.pointerId !== from.pointer) return;
    end();
    if (drop === undefined) return;
    try {
      workspace.change(drop.edit, 'push');
    } catch (error) {
      tellFailure(error, 'What was dragged could not be put there.', services);
    }
  };
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', release);
  window.addEventListener('pointercancel', end);
}
