import type { KeyOverride } from '../../../contract/keymap.ts';
import type { Command } from '../../../registry/commands/command.ts';
import { type Binding, keymapOf, keysOfCommand } from '../../../registry/keys/keymap.ts';
import { cell, observed, type Readable } from './state.ts';

/** The keys a person works with: the defaults under their own. */
export interface Keymap {
  readonly overrides: readonly KeyOverride[];
  readonly bindings: readonly Binding[];
  /** The keys that lead to a command, the person's own first. The same list for every call. */
  keysOf(id: string): readonly string[];
}

/** The keymap of this page. The server keeps a person's own lines; this follows them. */
export interface KeymapStore extends Readable<Keymap> {
  /** The person's own lines are these. */
  setOverrides(overrides: readonly KeyOverride[]): void;
  /** These are the commands there are. */
  setCommands(commands: readonly Command[]): void;
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

/** Begins with the default keys of these commands. */
export function createKeymapStore(initial: readonly Command[]): KeymapStore {
  const overrides = observed<readonly KeyOverride[]>([]);
  let commands = initial;
  const keymap = cell(createKeymap(commands, overrides.get()));
  const renew = () => keymap.set(createKeymap(commands, overrides.get()));
  overrides.subscribe(renew);
  return {
    get: keymap.get,
    subscribe: keymap.subscribe,
    setOverrides: overrides.set,
    setCommands: (next) => {
      commands = next;
      renew();
    },
  };
}
