import type { ArgDefinition, ArgDefinitions, Facts } from './kind-action.ts';

/**
 * The value of a text argument before a change: a fact, or the item of a list fact at the chosen member's place. Empty
 * if unknown.
 */
export function textBefore(
  definition: Extract<ArgDefinition, { readonly type: 'text' }>,
  definitions: ArgDefinitions,
  { facts, chosen }: { readonly facts: Facts; readonly chosen: (name: string) => unknown },
): string {
  const value = definition.from === undefined ? undefined : facts[definition.from];
  if (typeof value === 'string') return value;
  const { along = '' } = definition;
  const of = definitions[along];
  if (!Array.isArray(value) || of?.type !== 'member') return '';
  const members = facts[of.of];
  const at = Array.isArray(members) ? members.indexOf(chosen(along)) : -1;
  return (value as readonly string[])[at] ?? '';
}

/** The change of one argument, such as `3 → 5`; undefined if it has no short form. */
function partOf(
  definition: ArgDefinition,
  definitions: ArgDefinitions,
  [name, args, facts]: readonly [string, Readonly<Record<string, unknown>>, Facts],
): string | undefined {
  const value = args[name];
  if (definition.type === 'revision') return `revision ${String(value)}`;
  if (definition.type === 'number') {
    const before = definition.from === undefined ? undefined : facts[definition.from];
    return typeof before === 'number' ? `${before} → ${String(value)}` : undefined;
  }
  if (definition.type !== 'text') return undefined;
  const before = textBefore(definition, definitions, { facts, chosen: (one) => args[one] });
  return before === '' ? undefined : `${before} → ${String(value)}`;
}

/**
 * Short text of what an action changes on an object: `3 → 5`, `fewest 1 → 2, most 4 → 8`.
 * @param facts facts of the object before the change
 * @returns undefined if no argument has a previous value
 */
export function changeText(
  definitions: ArgDefinitions = {},
  args: Readonly<Record<string, unknown>>,
  facts: Facts,
): string | undefined {
  const parts = Object.entries(definitions).flatMap(([name, definition]) => {
    const text = partOf(definition, definitions, [name, args, facts]);
    return text === undefined ? [] : [{ label: definition.label.toLowerCase(), text }];
  });
  if (parts.length === 0) return undefined;
  return parts.map(({ label, text }) => (parts.length === 1 ? text : `${label} ${text}`)).join(', ');
}

/** The values of an action's arguments before and after it, by name: those that an object had before. */
export type ArgChanges = Readonly<
  Record<string, { readonly before: string | number; readonly after: string | number }>
>;

/**
 * What an action changes on an object, argument by argument; of those that were another before.
 * @param facts facts of the object before the change
 */
export function argChanges(
  definitions: ArgDefinitions = {},
  args: Readonly<Record<string, unknown>>,
  facts: Facts,
): ArgChanges {
  return Object.fromEntries(
    Object.entries(definitions).flatMap(([name, definition]): [string, ArgChanges[string]][] => {
      const after = args[name];
      if (definition.type === 'number') {
        const before = definition.from === undefined ? undefined : facts[definition.from];
        if (typeof before !== 'number' || typeof after !== 'number') return [];
        return before === after ? [] : [[name, { before, after }]];
      }
      if (definition.type !== 'text' || typeof after !== 'string') return [];
      const before = textBefore(definition, definitions, { facts, chosen: (one) => args[one] });
      return before === '' || before === after ? [] : [[name, { before, after }]];
    }),
  );
}
