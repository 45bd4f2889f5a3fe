import type { ArgDefinition } from '../kinds/kind-action.ts';

/** A typed answer, or one sentence about what is wrong with it. */
export type ReadValue = { readonly value: unknown; readonly label: string } | { readonly issue: string };

/**
 * Parses `app=web tier-` as kubectl does: keys to set, and with a trailing minus to remove. A value may be in double
 * quotes.
 */
function readMap(text: string, what: string): ReadValue {
  const words = text.match(/[^\s"]+(?:"[^"]*"?)?|"[^"]*"?/g) ?? [];
  const changes: Record<string, string | null> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    const key = at < 0 ? word.replace(/-$/, '') : word.slice(0, at);
    if (key === '' || (at < 0 && !word.endsWith('-')))
      return { issue: `Write key=value to set a ${what}, key- to remove it.` };
    if (Object.hasOwn(changes, key)) return { issue: `${key} appears twice.` };
    changes[key] = at < 0 ? null : word.slice(at + 1).replaceAll('"', '');
  }
  if (Object.keys(changes).length === 0)
    return { issue: `Write key=value to set a ${what}, key- to remove it.` };
  const parts = Object.entries(changes).map(([key, value]) =>
    value === null ? `remove ${key}` : `${key} = ${value}`,
  );
  return { value: changes, label: parts.join(', ') };
}

/** Parses the text typed for an argument. The server validates again. */
export function readTypedValue(definition: ArgDefinition, input: string): ReadValue {
  const text = input.trim();
  switch (definition.type) {
    case 'number': {
      const { label, min, max } = definition;
      const value = Number(text);
      return /^\d+$/.test(text) && value >= min && value <= max
        ? { value, label: String(value) }
        : { issue: `${label} must be a whole number from ${min} to ${max}.` };
    }
    case 'text':
      return definition.pattern !== undefined && !new RegExp(definition.pattern).test(text)
        ? { issue: definition.help ?? `${definition.label} is not valid.` }
        : { value: text, label: text };
    case 'member':
      return text === '' ? { issue: `${definition.label} is missing.` } : { value: text, label: text };
    case 'map':
      return readMap(text, definition.of === 'labels' ? 'label' : 'annotation');
    case 'choice':
    case 'revision':
      return { issue: `Choose ${definition.label.toLowerCase()} from the list.` };
    default:
      return definition satisfies never;
  }
}
