import { useApp } from '../core/context.ts';
import { useCell } from '../core/state/state.ts';

/** The first way to a command by keys as this person has it; follows every change. */
export function useKeys(id: string): string | undefined {
  return useCell(useApp().keymap, (keymap) => keymap.keysOf(id)[0]);
}
