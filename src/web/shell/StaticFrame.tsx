import type { CSSProperties } from 'react';
import type { FrameProps } from '../workspace/frame.ts';
import { placesOf } from '../workspace/geometry.ts';

const wholeArea = { left: 0, top: 0, width: 100, height: 100 };

/** A place among the tiles, in per cent of all of it, less half a gutter at each side. */
const slotLook = [
  'absolute top-[calc(var(--t)*1%+var(--spacing-gutter)/2)] left-[calc(var(--l)*1%+var(--spacing-gutter)/2)]',
  'h-[calc(var(--h)*1%-var(--spacing-gutter))] w-[calc(var(--w)*1%-var(--spacing-gutter))]',
].join(' ');

/** The tiles at their places until Mosaic is loaded: nothing can be dragged yet. */
export function StaticFrame({ layout, tiles, names, isCovering, slot }: FrameProps) {
  const places = placesOf(layout.root);
  return tiles.map(({ id }) => {
    const { left, top, width, height } = isCovering ? wholeArea : (places.get(id) ?? wholeArea);
    return (
      <div
        key={names.get(id)}
        className={slotLook}
        hidden={isCovering && id !== layout.focused}
        style={{ '--l': left, '--t': top, '--w': width, '--h': height } as CSSProperties}
        ref={(element) => slot(id, element)}
      />
    );
  });
}
