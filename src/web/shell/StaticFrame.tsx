import type { CSSProperties } from 'react';
import type { FrameProps } from '../workspace/frame.ts';
import { placesOf } from '../workspace/geometry.ts';

const everything = { left: 0, top: 0, width: 100, height: 100 };

/** The tiles at their places until Mosaic is loaded: nothing can be dragged yet. */
export function StaticFrame({ layout, tiles, names, isCovering, slot }: FrameProps) {
  const places = placesOf(layout.root);
  return tiles.map(({ id }) => {
    const { left, top, width, height } = isCovering ? everything : (places.get(id) ?? everything);
    return (
      <div
        key={names.get(id)}
        className="tile-slot"
        hidden={isCovering && id !== layout.focused}
        style={{ '--l': left, '--t': top, '--w': width, '--h': height } as CSSProperties}
        ref={(element) => slot(id, element)}
      />
    );
  });
}
