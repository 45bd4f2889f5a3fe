import type { Command } from './command.ts';
import { kindsWithoutFile } from './kind-commands.ts';
import { holds, type May } from './registry.ts';
import { parseKindName } from '../kinds/resource-key.ts';

/** Whether a command with `actsOn` can act on objects of a kind. Kinds without a file match `~`. */
export function fitsKind(kinds: readonly string[], kind: string): boolean {
  return kinds.includes(parseKindName(kind) === undefined ? kind : kindsWithoutFile);
}

/**
 * The views of an object of a kind besides its overview, in declaration order.
 * @param may the person's permissions at the object's place
 * @param count number of objects to view together
 * @param place `row-menu` for what menus of objects have besides views
 */
export function objectViewsOf(
  commands: readonly Command[],
  kind: string,
  may: May,
  count = 1,
  place: 'object-view' | 'row-menu' = 'object-view',
): readonly Command[] {
  return commands.filter(
    (command) =>
      command.type === 'action' &&
      command.places?.includes(place) === true &&
      command.actsOn !== undefined &&
      (count === 1 || command.takesMany?.includes(kind) === true) &&
      fitsKind(command.actsOn, kind) &&
      holds(command.needs, may),
  );
}
