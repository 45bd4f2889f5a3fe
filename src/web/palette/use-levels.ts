import { startTransition, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Cell, cell } from '../state/state.ts';
import { createDrawPace, type DrawPace } from './draw-pace.ts';
import { type Frames, typed } from './frames.ts';

/** What the list is made of. */
interface Drawn {
  readonly frames: Frames;
  /** What the person moved to; without it the first. */
  readonly picked: string | undefined;
}

/** The levels of the open palette. A key is echoed at once; the list of what it finds comes with it or follows. */
export interface Levels extends Drawn {
  /** As the person left them: what is typed is in them at once, while `frames` may be a key behind. */
  readonly now: Cell<Frames>;
  /** Replaces what is typed in the last level. */
  type(text: string): void;
  /** Shows other levels. */
  go(frames: Frames): void;
  pick(id: string | undefined): void;
  /** Draws what was typed, where that is still to come: a key acts on what its person would see. False where it is drawn. */
  catchUp(): boolean;
}

/** @param first those that show at first */
export function useLevels(first: () => Frames): Levels {
  const [now] = useState(() => cell<Frames>(first()));
  const [drawn, draw] = useState<Drawn>(() => ({ frames: now.get(), picked: undefined }));
  const pace = useRef<DrawPace>(undefined);
  /** When drawing a list together with its letter began. */
  const began = useRef<number>(undefined);
  useEffect(() => {
    const mine = createDrawPace({
      ask: (run) => requestAnimationFrame(run),
      cancel: (id) => cancelAnimationFrame(id),
    });
    pace.current = mine;
    return () => mine.end();
  }, []);
  useLayoutEffect(() => {
    if (began.current !== undefined) pace.current?.took(performance.now() - began.current);
    began.current = undefined;
  });
  return useMemo(
    () => ({
      ...drawn,
      now,
      type: (next) => {
        now.set(typed(now.get(), next));
        const drawTyped = () => draw({ frames: now.get(), picked: undefined });
        if (pace.current?.isTogether() === true) {
          began.current = performance.now();
          drawTyped();
        } else startTransition(drawTyped);
      },
      go: (frames) => {
        now.set(frames);
        draw({ frames, picked: undefined });
      },
      pick: (picked) => draw((before) => ({ ...before, picked })),
      catchUp: () => {
        if (drawn.frames === now.get()) return false;
        flushSync(() => draw({ frames: now.get(), picked: undefined }));
        return true;
      },
    }),
    [drawn, now],
  );
}
