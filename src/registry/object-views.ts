import type { Command } from './command.ts';
import { kindsWithoutFile } from './kind-commands.ts';
import { holds, type May } from './registry.ts';
import { parseKindName } from './resource-key.ts';

/** Whether a command with `actsOn` can act on objects of a kind; a kind without a file is meant by all of them. */
export function fitsKind(kinds: readonly string[], kind: string): boolean {
  return kinds.includes(parseKindName(kind) === undefined ? kind : kindsWithoutFile);
}

/**
 * The ways to look at an object of a kind other than its overview, in the order of their declaration.
 * @param may what the person may do where the object is
 * @param count of the objects that are to be looked at together
 */
export function objectViewsOf(
  commands: readonly Command[],
  kind: string,
  may: May,
  count = 1,
): readonly Command[] {
  return commands.filter(
    (command) =>
      command.type === 'action' &&
      command.places?.includes('object-view') === true &&
      command.actsOn !== undefined &&
      (count === 1 || command.takesMany?.includes(kind) === true) &&
      fitsKind(command.actsOn, kind) &&
      holds(command.needs, may),
  );
}
