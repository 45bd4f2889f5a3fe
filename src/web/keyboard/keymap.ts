import { useKeyboard } from './port.ts';
import { useCell } from '../core/state/state.ts';

/** The first way to a command by keys as this person has it; follows every change. */
export function useKeys(id: string): string | undefined {
  return useCell(useKeyboard().keymap, (keymap) => keymap.keysOf(id)[0]);
}
