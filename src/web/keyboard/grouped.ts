import { type Command, groups } from '../../registry/commands/command.ts';
import { sidebarSections } from '../../registry/sidebar.ts';

/** Headings under which keys are shown: the sections of the sidebar for its places, then the groups of commands. */
const headings: readonly string[] = [...sidebarSections, ...groups.filter((group) => group !== 'Cluster')];

/** The heading of a command: its section of the sidebar, else its group. */
export function headingOf({ places, group }: Pick<Command, 'places' | 'group'>): string {
  for (const place of places ?? []) if (typeof place === 'object' && 'sidebar' in place) return place.sidebar;
  return group;
}

/** Puts things under the headings of their commands, in the order of sidebar and help. */
export function grouped<T>(
  items: readonly T[],
  commandOf: (item: T) => Pick<Command, 'places' | 'group'>,
): readonly { readonly heading: string; readonly items: readonly T[] }[] {
  const sets = new Map<string, T[]>();
  for (const item of items) {
    const heading = headingOf(commandOf(item));
    const set = sets.get(heading);
    if (set === undefined) sets.set(heading, [item]);
    else set.push(item);
  }
  return [...sets]
    .map(([heading, set]) => ({ heading, items: set }))
    .sort((a, b) => headings.indexOf(a.heading) - headings.indexOf(b.heading));
}
