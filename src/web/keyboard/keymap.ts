import type { KeyOverride } from '../../contract/keymap.ts';
import type { Command } from '../../registry/command.ts';
import { type Binding, keymapOf, keysOfCommand } from '../../registry/keymap.ts';
import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';

/** The keys a person works with: the defaults under their own. */
export interface Keymap {
  readonly overrides: readonly KeyOverride[];
  readonly bindings: readonly Binding[];
  /** The keys that lead to a command, the person's own first. The same list for every call. */
  keysOf(id: string): readonly string[];
}

/** Makes the keymap of these commands with a person's own lines. */
export function createKeymap(commands: readonly Command[], overrides: readonly KeyOverride[]): Keymap {
  const bindings = keymapOf(commands, overrides);
  const known = new Map<string, readonly string[]>();
  return {
    overrides,
    bindings,
    keysOf: (id) => {
      const keys = known.get(id) ?? keysOfCommand(bindings, id);
      known.set(id, keys);
      return keys;
    },
  };
}

/** The first way to a command by keys as this person has it; follows every change. */
export function useKeys(id: string): string | undefined {
  return useCell(useApp().keymap, (keymap) => keymap.keysOf(id)[0]);
}
