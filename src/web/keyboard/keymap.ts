import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';

/** The first way to a command by keys as this person has it; follows every change. */
export function useKeys(id: string): string | undefined {
  return useCell(useApp().keymap, (keymap) => keymap.keysOf(id)[0]);
}
