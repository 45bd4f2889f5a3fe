import type { KeyOverride } from '../../../contract/keymap.ts';
import type { Command } from '../../../registry/commands/command.ts';
import { declaredKeys, strokesOf } from '../../../registry/keys/keymap.ts';

/** The identity of a line: a store may return the names of a condition in another order. */
function shape({ keys, command, when }: KeyOverride): string {
  const clauses = when === undefined ? [] : Array.isArray(when) ? when : [when];
  const sorted = clauses.map((clause) => Object.entries(clause).sort(([a], [b]) => a.localeCompare(b)));
  return JSON.stringify([normalizedKeys(keys), command, sorted]);
}

const normalizedKeys = (keys: string) => strokesOf(keys)?.join(' ') ?? keys;

/** The lines that take away the keys a command has by default, where the command exists and nowhere else. */
function removals(command: Command): readonly KeyOverride[] {
  // A `when` is plain data; its lists are copied because the contract's are mutable.
  const when =
    command.when === undefined ? {} : { when: structuredClone(command.when) as KeyOverride['when'] };
  return declaredKeys(command).map((keys) => ({ keys, command: null, ...when }));
}

/** Whether somebody has keys of their own for a command, or took its default keys away. */
export function isChanged(keymap: readonly KeyOverride[], command: Command): boolean {
  return withoutOwn(keymap, command).length !== keymap.length;
}

/** The keymap with the command's default keys again. */
export function withoutOwn(keymap: readonly KeyOverride[], command: Command): readonly KeyOverride[] {
  const gone = new Set(removals(command).map(shape));
  return keymap.filter((line) => line.command !== command.id && !gone.has(shape(line)));
}

/** The keymap in which these keys, and no others, lead to a command; without keys none do. */
export function rebind(
  keymap: readonly KeyOverride[],
  command: Command,
  keys: string | undefined,
): readonly KeyOverride[] {
  const wanted = keys === undefined ? undefined : normalizedKeys(keys);
  const isDefault = declaredKeys(command).some((one) => normalizedKeys(one) === wanted);
  return [
    ...withoutOwn(keymap, command),
    ...removals(command).filter((line) => normalizedKeys(line.keys) !== wanted),
    ...(wanted === undefined || isDefault ? [] : [{ keys: wanted, command: command.id }]),
  ];
}

/** A keymap as text, one entry a line. */
export function keymapText(keymap: readonly KeyOverride[]): string {
  if (keymap.length === 0) return '[]';
  return `[\n${keymap.map((line) => `  ${JSON.stringify(line)}`).join(',\n')}\n]`;
}
