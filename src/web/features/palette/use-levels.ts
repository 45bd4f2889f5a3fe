import { startTransition, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Cell, cell } from '../../core/state/state.ts';
import { type Frames, typed } from './frames.ts';

/** The parts of a drawn list. */
interface Drawn {
  readonly frames: Frames;
  /** The entry that the person moved to; the first one without it. */
  readonly picked: string | undefined;
}

/** The levels of the open palette. A key is echoed at once; the list of what it finds follows when there is time. */
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
  return useMemo(
    () => ({
      ...drawn,
      now,
      type: (next) => {
        now.set(typed(now.get(), next));
        startTransition(() => draw({ frames: now.get(), picked: undefined }));
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
