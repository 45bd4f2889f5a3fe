import { cva } from 'class-variance-authority';
import type { CSSProperties, KeyboardEvent } from 'react';
import { useWorkspace } from '../workspace/port.ts';
import { useCell } from '../core/state/state.ts';
import { type Boundary, boundariesOf } from '../workspace/geometry.ts';
import { activeTab, tilesOf } from '../workspace/layout.ts';
import { isModified } from '../kit/modified-key.ts';
import { useTitleOf } from './use-title-of.ts';

/** Per cents that an arrow moves a boundary, and with shift. */
const step = 2;
const bigStep = 10;

/** Mosaic's divider below it has the pointer. */
const boundaryLook = cva('pointer-events-none absolute z-2 focus-visible:-outline-offset-2', {
  variants: {
    /** How the tiles beside it stand. */
    direction: {
      row: 'top-[calc(var(--t)*1%)] left-[calc(var(--l)*1%-0.25rem)] h-[calc(var(--h)*1%)] w-2',
      column: 'top-[calc(var(--t)*1%-0.25rem)] left-[calc(var(--l)*1%)] h-2 w-[calc(var(--w)*1%)]',
    },
  },
});

/**
 * The boundaries between tiles for the keyboard and screen readers: arrows move them, Home and End as far as possible,
 * Enter puts them in the middle. They lie over Mosaic's dividers, which the pointer moves.
 */
export function Boundaries() {
  const titleOf = useTitleOf();
  const { workspace } = useWorkspace();
  const { layout } = useCell(workspace.state);
  const tiles = tilesOf(layout);
  const nameOf = (ids: readonly string[]) =>
    tiles
      .filter(({ id }) => ids.includes(id))
      .map((group) => titleOf(activeTab(group).href))
      .join(', ');

  const press = (event: KeyboardEvent, boundary: Boundary) => {
    if (isModified(event)) return;
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
    const { split, index } = boundary;
    workspace.change({ type: 'resize', split, index, size: wanted }, 'replace');
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
        id={`boundary-${split}-${index}`}
        className={boundaryLook({ direction })}
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
      />
    );
  });
}
