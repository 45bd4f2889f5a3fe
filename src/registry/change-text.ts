import type { ArgDefinition, ArgDefinitions, Facts } from './kind-action.ts';

/**
 * What a text argument is before it is changed: a fact, or what of a list of them belongs to the member that was chosen.
 * Empty where nothing is known.
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

/** What one argument changes: `3 → 5`; undefined where that cannot be told in a few words. */
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
 * What an action changes on an object in a few words, old and new: `3 → 5`, `fewest 1 → 2, most 4 → 8`.
 * @param facts of the object before
 * @returns undefined for an action whose arguments tell of nothing that was before
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
