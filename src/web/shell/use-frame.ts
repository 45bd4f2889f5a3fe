import { useEffect, useState } from 'react';
import { useCommands } from '../core/commands.ts';
import { useCell } from '../core/state/state.ts';
import { wholeStyles } from '../kit/whole-styles.ts';
import type { Frame } from '../workspace/frame.ts';
import { StaticFrame } from './StaticFrame.tsx';

/** Maximum time to wait for an idle moment of the browser, ms. */
const idleWithin = 5_000;

/** Delay before a failed load is retried, ms. */
const againAfter = 5_000;

/** Runs something in an idle moment; returns how not to. */
function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, 500);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(run, { timeout: idleWithin });
  return () => cancelIdleCallback(idle);
}

/**
 * The component that draws the tiles: a plain frame at first, Mosaic once it is loaded. It loads in an idle moment
 * after the first screen where that has several tiles, when the person splits a tile, or when `load` is called; it is
 * taken never while a mouse button is down.
 * @param count how many tiles there are
 */
export function useFrame(count: number): {
  readonly Frame: Frame;
  readonly kind: 'static' | 'mosaic';
  readonly load: () => void;
} {
  const { isWhole, services } = useCommands();
  const [frame, setFrame] = useState<{ readonly Frame: Frame }>();
  const [isWanted, setWanted] = useState(false);
  const [first] = useState(count);
  const isReady = useCell(isWhole);
  const hasSplit = count > first;

  useEffect(() => {
    if (!isWanted && !hasSplit) return isReady && first > 1 ? whenIdle(() => setWanted(true)) : undefined;
    let isGone = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    const take = (next: Frame) => {
      if (!isGone) setFrame((known) => known ?? { Frame: next });
    };
    const ask = () =>
      Promise.all([import('./MosaicFrame.tsx'), wholeStyles()]).then(
        ([{ MosaicFrame }]) => {
          if (document.querySelector(':active') === null) take(MosaicFrame);
          else window.addEventListener('pointerup', () => setTimeout(take, 0, MosaicFrame), { once: true });
        },
        // Without it the tiles still work, and are moved and resized by commands.
        (error: unknown) => {
          services.log('The drag and drop of tiles could not be loaded; retrying', error);
          if (!isGone) again = setTimeout(() => void ask(), againAfter);
        },
      );
    void ask();
    return () => {
      isGone = true;
      clearTimeout(again);
    };
  }, [isWanted, hasSplit, isReady, first, services]);

  return {
    Frame: frame?.Frame ?? StaticFrame,
    kind: frame === undefined ? 'static' : 'mosaic',
    load: () => setWanted(true),
  };
}
