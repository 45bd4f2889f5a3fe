import { useState } from 'react';
import type { Content } from './content.ts';
import type { Entry } from './entries.ts';
import { type Frames, lastFrame } from './frames.ts';
import { answerChanges, changesSomething, lettersIn, preselected, preselectedAnswer } from './preselect.ts';

/** The entry that is highlighted while the person moved to none; entries that come late do not move it onto a change. */
export function usePreselected(
  entries: readonly Entry[],
  frames: Frames,
  { isPending = false, isActAwaited }: Pick<Content, 'isPending' | 'isActAwaited'>,
): Entry | undefined {
  const [drawn, keep] = useState<{ readonly frames: Frames; readonly id: string }>();
  const frame = lastFrame(frames);
  const found = answerChanges(frame)
    ? preselectedAnswer(entries, frame)
    : preselected(entries, {
        letters: lettersIn(frame),
        isPending,
        isActAwaited,
        before: drawn?.frames === frames ? drawn.id : undefined,
      });
  const isKept = drawn?.frames === frames && drawn.id === found?.id;
  // Only what changes something is kept from the place of another entry.
  if (found !== undefined && !isKept && entries.some(changesSomething)) keep({ frames, id: found.id });
  return found;
}
