import type { Content } from './content.ts';
import type { Frame } from './frames.ts';
import type { PaletteOpening } from './opening.ts';
import { nextStep } from './pending.ts';
import { useActions } from './use-actions.ts';
import { useRoot } from './use-root.ts';
import { useStep } from './use-step.tsx';

/** The content of one level of the palette. */
export function useContent(opening: PaletteOpening, frame: Frame): Content {
  const pending = frame.type === 'step' ? frame.pending : undefined;
  const step = pending === undefined ? undefined : nextStep(pending);
  const root = useRoot(opening, frame.type === 'root' ? frame : undefined);
  const actions = useActions(opening, frame.type === 'actions' ? frame.ref : undefined, frame.text);
  const asked = useStep(opening, pending, step, frame);
  return frame.type === 'root' ? root : frame.type === 'actions' ? actions : asked;
}
